"""Runs inside the sandbox, under the limits of a job: takes CUDA's first steps and tells how far they lead.

Arguments: the library to load, and the process's restrictions and what else it imposes on itself, each as JSON. One
JSON object on standard output. Stands alone but for its neighbors; needs no torch.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys
import time
from typing import Any

BYTES = 64 * 1024 * 1024
"""Of the card that are allocated and written to."""


def main() -> None:
    """Takes the steps."""
    library, restrictions, own = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[-1])
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if restrictions:
        confine: Any = importlib.import_module("confine")
        confine.confine(restrictions, own)
    begun = time.perf_counter()
    told: dict[str, Any] = {"step": "", "code": 0, "why": "", "cards": 0}
    try:
        steps(ctypes.CDLL(library), told)
    except OSError as error:
        told |= {"step": "load", "why": str(error)[:300]}
    except AttributeError as error:
        told["why"] = str(error)[:300]
    told["seconds"] = round(time.perf_counter() - begun, 3)
    sys.stdout.write(json.dumps(told))


def steps(cuda: Any, told: dict[str, Any]) -> None:
    """Takes CUDA's first steps; ``told["step"]`` is the one that failed, empty where all went well."""
    count, device, context, memory = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
    for name, given in (
        ("cuInit", (0,)),
        ("cuDeviceGetCount", (ctypes.byref(count),)),
        ("cuDeviceGet", (ctypes.byref(device), 0)),
        ("cuDevicePrimaryCtxRetain", (ctypes.byref(context), device)),
        ("cuCtxSetCurrent", (context,)),
        ("cuMemAlloc_v2", (ctypes.byref(memory), ctypes.c_size_t(BYTES))),
        ("cuMemsetD8_v2", (memory, ctypes.c_ubyte(1), ctypes.c_size_t(BYTES))),
        ("cuCtxSynchronize", ()),
        ("cuMemFree_v2", (memory,)),
    ):
        told["step"] = name
        told["code"] = int(getattr(cuda, name)(*given))
        told["cards"] = count.value
        if told["code"]:
            return
    told["step"] = ""


if __name__ == "__main__":
    main()
