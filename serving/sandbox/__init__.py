"""Runs code that nobody vouches for, and returns data. ``docs/sandbox.md`` says what is held off, and what is not.

A process in the sandbox is started by a backend (``backends/``) and restricts itself further before it executes what it
was given (``restrictions.py``, ``inside/confine.py``). There are two kinds: workers that do one job each
(``worker_pool.py``), for submissions; and processes that carry out orders in forks of themselves
(``fork_server.py``), for documents' code (``batch_runner.py``) and the bank's. Readers of documents
(``knowledge/formats``) are started by the same backends.

A task may ask for processes (``Job.processes``): some data loaders, and process groups (``inside/ranks.py``). Its
program may then fork and talk over a loopback of its own, to which nothing of the machine listens; all its processes
end with the worker. Landlock would leave it the machine's loopback, with whatever listens there, so there such a task
is not executed, and says so.

A program can forge all that is reported about itself. What documents' code reports is a finding about the program's own
text, never a mark. A submission passes only by values that agree with those of our own solution, which ran elsewhere;
the clock that its speed is measured by could be turned, so speed is advice.

Not held off: a fault of the kernel. Forged frames can end the process that reads them (``frame_decoder.py``), which is
another one than the app, and then count as no result. Where no control group can be made (``cgroup.py``), memory is
bounded by process only: those of a task that asks for several could together press the machine, which then ends them
first.
"""

from serving.sandbox.batch_runner import Failure, Notice, Printed, Program, Ran, Sandbox, Status, Trace

__all__ = ["Failure", "Notice", "Printed", "Program", "Ran", "Sandbox", "Status", "Trace"]
