"""What memory a process holds over time, and whether it grows: samples, a slope, a table."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil


class Sample(NamedTuple):
    """Memory of a process at one moment.

    Attributes:
        seconds: since the first sample.
        pss: megabytes, pages shared with other processes counted by their share.
        threads: number of threads.
        files: number of open file descriptors.

    """

    seconds: float
    pss: float
    threads: int
    files: int


class Slope(NamedTuple):
    """How memory grows.

    Attributes:
        per_hour: megabytes an hour, by least squares.
        error: its standard error.

    """

    per_hour: float
    error: float


def slope(samples: Sequence[Sample], *, leave_out: float = 0.5) -> Slope:
    """Returns the growth over the last part of the samples.

    Args:
        samples: five or more.
        leave_out: share of the time at the beginning in which caches fill.

    Raises:
        ValueError: there are too few samples.

    """
    end = samples[-1].seconds if samples else 0.0
    kept = [each for each in samples if each.seconds >= leave_out * end]
    if len(kept) < 3:
        raise ValueError(f"{len(kept)} samples are too few for a slope")
    hours = np.array([each.seconds for each in kept]) / 3600
    held = np.array([each.pss for each in kept])
    centered = hours - hours.mean()
    spread = float((centered**2).sum())
    growth = float((centered * held).sum() / spread)
    left = held - held.mean() - growth * centered
    return Slope(growth, float(np.sqrt((left**2).sum() / (len(kept) - 2) / spread)))


def table(samples: Sequence[Sample], rows: int = 20) -> Iterator[str]:
    """Yields the samples as Markdown, at most so many rows."""
    yield "| min | PSS, MB | threads | files |"
    yield "|---|---|---|---|"
    for place in np.unique(np.linspace(0, len(samples) - 1, min(rows, len(samples))).round().astype(int)):
        each = samples[int(place)]
        yield f"| {each.seconds / 60:.1f} | {each.pss:.0f} | {each.threads} | {each.files} |"


def held_by(processes: Iterable[psutil.Process]) -> float:
    """Returns the megabytes (proportional set size) of several processes; one that has ended holds none."""
    megabytes = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            megabytes += process.memory_full_info().pss / 1e6
    return megabytes


async def sampled(pid: int, into: list[Sample], every_s: float) -> None:
    """Take samples of a process until this is canceled or the process ends."""
    observed, begun = psutil.Process(pid), time.monotonic()
    with suppress(psutil.Error):
        while True:
            # Reading the shares of all pages takes some ten milliseconds.
            held = await asyncio.to_thread(observed.memory_full_info)
            into.append(Sample(time.monotonic() - begun, held.pss / 1e6, observed.num_threads(), observed.num_fds()))
            await asyncio.sleep(every_s)


def own(processes: Iterable[psutil.Process]) -> float:
    """Returns the megabytes that several processes hold of their own: objects, weights that were read, buffers."""
    size = 0
    for process in processes:
        with suppress(OSError):
            told = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
            size += sum(kilobytes(line) for line in told.splitlines() if line.startswith("Pss_Anon:"))
    return size * 1.024e-3


def libraries(processes: Iterable[psutil.Process]) -> float:
    """Returns the megabytes of all files that several processes map, however many others map them too."""
    files = Counter[str]()
    for process in processes:
        with suppress(OSError):
            # The same file of two processes is mostly the same pages.
            files |= mapped(Path(f"/proc/{process.pid}/smaps").read_text())
    return files.total() * 1.024e-3


def mapped(smaps: str) -> Counter[str]:
    """The kilobytes of each file that a process maps and has not changed, out of the kernel's list of its memory."""
    files, name = Counter[str](), ""
    for line in smaps.splitlines():
        field = line.partition(":")[0]
        if " " in field:
            name = (line.split(maxsplit=5)[5:] or [""])[0]
        elif field == "Rss":
            files[name] += kilobytes(line)
        elif field == "Anonymous":
            files[name] -= kilobytes(line)
    return +files


def kilobytes(line: str) -> int:
    """The size in a line such as ``Rss:  16 kB``; the kernel's kilobytes have 1,024 bytes."""
    return int(line.split()[1])
