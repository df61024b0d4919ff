"""The end of the program, where threads of it may still be inside native libraries.

A daemon thread that comes back from C++ while Python 3.11 shuts down is ended by unwinding its stack
(``pthread_exit``). C++ takes that for an error nobody caught and aborts: "terminate called without an active
exception", status 134, though all was well. Torch does so whenever it is left in the middle of a text's vector,
onnxruntime and CTranslate2 can. Nothing interrupts such a call, and to wait for it would take seconds.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress


class Leaving:
    """Ends the process before Python gets as far as ending such threads.

    Make it before anything else, since what is registered first is done last: whatever others do at the program's
    end is done by then, and every thread that is no daemon was waited for.

    Attributes:
        status: what the process ends with.

    """

    def __init__(self) -> None:
        self.status = 1
        atexit.register(self._leave)

    def _leave(self) -> None:
        if not any(thread.daemon for thread in threading.enumerate()):
            return
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(self.status)
