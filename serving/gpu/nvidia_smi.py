"""Cards as ``nvidia-smi`` tells them: pure readers of its listings, and the one call.

Slices (MIG) are known by their names and UUIDs only: how much of one is free, NVML alone tells.
"""

from __future__ import annotations

import re
import shutil
import subprocess

from serving.gpu.card import Found, Gpu, version_of

FIELDS = ("index", "uuid", "name", "driver_version", "memory.total", "memory.free", "compute_cap", "mig.mode.current")
SECONDS = 20.0

_MEBIBYTE = 1024 * 1024
_CARD = re.compile(r"^GPU (\d+): ")
_SLICE = re.compile(r"^\s+(MIG \S+)\s+Device\s+\d+: \(UUID: (MIG-[^)]+)\)")
_SLICE_SIZE = re.compile(r"\.(\d+)gb")


def read() -> Found | None:
    """What ``nvidia-smi`` tells; ``None`` where there is no such program."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    told, trouble = _said([tool, f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader,nounits"])
    if trouble:
        return Found(trouble=trouble)
    slices, _ = _said([tool, "-L"])
    return Found(gpus=gpus_of(told, slices))


def gpus_of(listing: str, slices: str = "") -> tuple[Gpu, ...]:
    """The cards of the two listings; a card that is cut into slices stands for them.

    Args:
        listing: one line a card, the values of ``FIELDS`` (memory in MiB), any of them "[N/A]".
        slices: what ``nvidia-smi -L`` says.

    """
    cut = _slices_of(slices)
    found: list[Gpu] = []
    for line in listing.splitlines():
        values = [value.strip() for value in line.split(",")]
        if len(values) != len(FIELDS) or not values[0].isdigit():
            continue
        index, uuid, name, driver, total, free, capability, mig = values
        card = Gpu(
            name=name,
            memory=_bytes(total),
            free=_bytes(free),
            capability=_capability(capability),
            driver=driver if version_of(driver) else "",
            uuid=uuid if uuid.startswith("GPU-") else "",
            index=int(index),
        )
        found += [_slice(card, *each) for each in cut.get(card.index, ())] if mig == "Enabled" else [card]
    return tuple(found)


def _slices_of(listing: str) -> dict[int, list[tuple[str, str]]]:
    """Name and UUID of each card's slices, by the card's index."""
    found: dict[int, list[tuple[str, str]]] = {}
    card = -1
    for line in listing.splitlines():
        if at := _CARD.match(line):
            card = int(at[1])
        elif each := _SLICE.match(line):
            found.setdefault(card, []).append((each[1], each[2]))
    return found


def _slice(card: Gpu, name: str, uuid: str) -> Gpu:
    size = _SLICE_SIZE.search(name)
    memory = int(size[1]) * 10**9 if size else None
    return Gpu(
        name=f"{card.name} {name}",
        memory=memory,
        capability=card.capability,
        driver=card.driver,
        uuid=uuid,
        index=card.index,
    )


def _bytes(mebibytes: str) -> int | None:
    return int(mebibytes) * _MEBIBYTE if mebibytes.isdigit() else None


def _capability(told: str) -> tuple[int, int] | None:
    numbers = version_of(told)
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _said(command: list[str]) -> tuple[str, str]:
    """What a command says, and a sentence where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "", f"nvidia-smi did not answer within {SECONDS:.0f} s."
    except OSError as error:
        return "", f"nvidia-smi cannot be run: {error.strerror}."
    if done.returncode:
        last = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()][:1]
        return "", f"nvidia-smi fails: {last[0] if last else 'it gives no reason'}"[:200]
    return done.stdout, ""
