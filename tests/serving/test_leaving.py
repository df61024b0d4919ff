"""The end of a program while a thread of it is inside a native library."""

import subprocess
import sys

from tests.integration.commands import ROOT

MULTIPLIES_FOR_EVER = """
import atexit, sys, threading
from serving.leaving import Leaving
leaving = Leaving()
atexit.register(print, "done last")
import torch
square = torch.rand(1500, 1500)
inside = threading.Event()
def multiply():
    while True:
        inside.set()
        square @ square
threading.Thread(target=multiply, daemon=True).start()
inside.wait()
print("all is well")
leaving.status = 3
sys.exit(3)
"""


def left(program):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )


def test_a_thread_in_native_code_does_not_abort_the_program():
    done = left(MULTIPLIES_FOR_EVER)
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout == "all is well\ndone last\n"


def test_without_such_a_thread_a_program_ends_as_ever():
    done = left("from serving.leaving import Leaving\nLeaving()\nraise SystemExit(4)")
    assert (done.returncode, done.stderr) == (4, "")
