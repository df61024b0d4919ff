"""The process behind ``ForkedRunner``: has torch imported and does every job in a fork. It never computes itself.

Stands alone: what it needs lies in the folder that it is given.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import sys
import time


def serve(inside: str) -> None:
    """Does one job a line of standard input; answers each with whether its time was up."""
    sys.path.insert(0, inside)

    worker = importlib.import_module("worker")
    for name in (*worker.PRELOAD, "torch.utils.checkpoint", "torch.utils.data", "torch._dynamo", "trial", "wire"):
        importlib.import_module(name)
    # As a worker does; and a fork's collector need not write to pages that are shared.
    gc.freeze()
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            os.setsid()
            os.chdir(order["room"])
            out = os.open("frames", os.O_WRONLY | os.O_CREAT)
            printed = os.open("printed", os.O_WRONLY | os.O_CREAT)
            os.dup2(printed, 1)
            os.dup2(printed, 2)
            try:
                worker.tell(json.loads(order["job"]), out)
            finally:
                sys.stdout.flush()
                os._exit(0)
        print(json.dumps(_late(child, order["seconds"])), flush=True)


def _late(child: int, seconds: float) -> bool:
    """Waits for a child and kills it, with all that it started, when its time is up."""
    until = time.monotonic() + seconds
    late = False
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            late = True
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.002)
    return late


if __name__ == "__main__":
    serve(sys.argv[1])
    # Leaving in the usual way would take half a second for tidying up all of torch.
    os._exit(0)
