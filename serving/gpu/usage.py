"""How full a card is now, and how much of it some processes hold."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Collection

from serving.gpu import nvidia_smi, nvml

_MEBIBYTE = 1024 * 1024


def free(uuid: str) -> int | None:
    """Bytes of the card of that UUID that nobody uses; ``None`` where nobody tells."""
    for read in (nvml.read, nvidia_smi.read):
        found = read()
        for gpu in found.gpus if found is not None else ():
            if gpu.uuid == uuid and gpu.free is not None:
                return gpu.free
    return None


def held(processes: Collection[int]) -> int | None:
    """Bytes of all cards that processes hold together; ``None`` where that is not told.

    In a container the driver tells the process ids of the machine outside, which none of ours are.
    """
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    command = [tool, "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=nvidia_smi.SECONDS)
        return held_of(done.stdout, processes)
    return None


def held_of(listing: str, processes: Collection[int]) -> int | None:
    """Bytes that processes hold by a listing of lines "process id, mebibytes"; ``None`` where it names none of them."""
    found = []
    for line in listing.splitlines():
        process, _, size = (part.strip() for part in line.partition(","))
        if process.isdigit() and int(process) in processes and size.isdigit():
            found.append(int(size) * _MEBIBYTE)
    return sum(found) if found else None
