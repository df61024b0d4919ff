"""Runs code that nobody vouches for, and returns data.

Held off, behind bubblewrap (``command.py``, ``seccomp.py``): reading the person's files and environment, the
network, sockets of other families, writing anywhere but into a small memory file system, running on after its time,
filling memory or disk, processes of its own, tracing or signalling others, kernel keys, BPF, new namespaces; and one
program changing another, since a worker is used once. Without user namespaces (``inside/lock.py``): the same files, no
sockets, no processes of its own, no signals; but its files are bounded one by one only, and it sees the machine's
process ids. With neither, nothing is executed at all.

A task may ask for processes (``Job.processes``): some data loaders, and process groups (``inside/ranks.py``). Its
program may then fork and talk over a loopback of its own, to which nothing of the machine listens; all its processes
end with the worker. Landlock leaves it the machine's loopback, with whatever listens there, so there such a task is
not executed, and says so.

Not held off: a fault of the kernel; and a program can forge all that is reported about itself. What documents' code
reports (``runner.py``) is a finding about the program's own text, never a mark. A submission (``pool.py``) passes
only by values that agree with those of our own solution, which ran elsewhere; the clock that its speed is measured
by could be turned, so speed is advice. Forged frames can end the process that reads them (``frame_decoder.py``), which
is another one than the app, and then count as no result. Where no control group can be made (``cgroup.py``), memory is
bounded by process only: those of a task that asks for several could together press the machine, which then ends them
first.
"""

from serving.sandbox.runner import Failure, Notice, Printed, Program, Ran, Sandbox, Status, Trace

__all__ = ["Failure", "Notice", "Printed", "Program", "Ran", "Sandbox", "Status", "Trace"]
