"""Runs code that nobody vouches for, and returns data.

It holds against: reading the person's files and environment, the network, writing anywhere but into a small memory
file system, running on after its time, filling memory or disk, and one program changing another. It does not hold
against a fault of the kernel, and a program can forge what is reported about itself: a report is a finding about
the program's own text, never a mark.

Without bubblewrap nothing is executed at all.
"""

from serving.sandbox.runner import Failure, Notice, Printed, Program, Ran, Sandbox, Status, Trace

__all__ = ["Failure", "Notice", "Printed", "Program", "Ran", "Sandbox", "Status", "Trace"]
