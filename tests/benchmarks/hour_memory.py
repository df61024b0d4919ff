"""Measures the memory of an hour of interviews: ``make hour-bench``. The page and a model server of its own.

One candidate holds one interview after the other, six answers in each, all of it spoken: every sentence of the
interviewer is fetched as a sound, every answer is a recording that is sent while it grows. With ``--silent`` nobody
speaks, and the page has no voice. Memory is read four times a minute, and a minute and a half after the last report.

``--parts 4`` lets it rest for as long after each quarter, and reads what is still held then. What grows from one rest
to the next is what is never given back; between them memory swings by some hundred megabytes with what is said.

``--think 40 80 --answers 12`` holds them at the pace of people, who have three or four interviews in an hour; without
it there are some thirty, which shows what grows with each.

``--limit 4500`` has page, model server, and sandbox live in one control group of so many megabytes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from serving.models import catalogue
from serving.sandbox.cgroup import Group, Limits
from tests.benchmarks.interview_memory import ANSWERS, GIVEN_BACK_S, Held, parts
from tests.benchmarks.load import Candidate, Figures, Load, Served, hold_all, linked_models, served, warm
from tests.benchmarks.memory import Sample, held_by, libraries, own, slope
from tests.benchmarks.spoken import Speaker, recordings

SAMPLES_S = 15.0
THINKS_S = (4.0, 8.0)
ROWS = 13


class Moment(NamedTuple):
    """Megabytes at one moment.

    Attributes:
        at: seconds of a clock.
        shares: proportional set sizes, which are less where other programs map the same libraries.
        page, server: of their own: objects, weights, buffers.
        libraries: of files that page or server map, each counted once and whole.

    """

    at: float
    shares: Held
    page: float
    server: float
    libraries: float

    @property
    def whole(self) -> float:
        """What both hold as if there were no other programs."""
        return self.page + self.server + self.libraries


class Hour(NamedTuple):
    """What was seen while interviews were held.

    Attributes:
        moments: the first before any interview, the last when all that was free had been given back.
        interviews: how many were begun.
        answers: how many were given.
        peak: megabytes that the control group held at most, files read included; 0 without one.
        killed: processes that the kernel ended because the group had no memory left.
        wrong: what went wrong in an interview, a sentence each.
        rests: after each part of the interviews, when all that was free had been given back; the last moment too.

    """

    moments: list[Moment]
    interviews: int
    answers: int
    peak: float = 0.0
    killed: int = 0
    wrong: tuple[str, ...] = ()
    rests: tuple[Moment, ...] = ()


def hold(
    minutes: float,
    *,
    speaks: bool = True,
    limit_mb: int = 0,
    rest_s: float = GIVEN_BACK_S,
    parts: int = 1,
    think_s: tuple[float, float] = THINKS_S,
    answers: int = ANSWERS,
) -> Hour:
    """Hold one interview after the other and watch the memory.

    Args:
        minutes: for how long; one is held in any case.
        speaks: whether people and interviewer speak.
        limit_mb: megabytes that page, model server, and all that they start may hold together; 0 for any number.
        rest_s: seconds from the last report until memory is read for the last time.
        parts: how many parts the minutes have, with such a rest after each.
        think_s: least and most seconds before an answer.
        answers: after how many an interview is ended and another one begun.

    Raises:
        RuntimeError: no control group that limits memory can be made here.

    """
    catalogue.ensure_embedder()
    catalogue.ensure_judge()
    load = Load(1, minutes / parts, think_s, 0.0, least=min(ANSWERS, answers), most=answers)
    spoken = recordings() if speaks else []
    moments: list[Moment] = []
    with tempfile.TemporaryDirectory() as folder, limited_to(limit_mb) as group:
        models_folder = linked_models(Path(folder) / "models")
        with served(Path(folder), models_folder, talks=speaks, within=group) as page:
            asyncio.run(warm(page.url))
            moments.append(_moment(page, models_folder))
            seen, rests = [], []
            for _ in range(parts):
                seen.append(asyncio.run(_watched(page, models_folder, load, spoken, moments)))
                time.sleep(rest_s)
                rests.append(_moment(page, models_folder))
            moments.append(rests[-1])
            peak, killed = _used(group) if group is not None else (0.0, 0)
    given = sum(len(each.seconds["an answer taken"]) for each in seen)
    wrong = tuple(each for figures in seen for each in figures.wrong)
    return Hour(moments, sum(each.interviews for each in seen), given, peak, killed, wrong, tuple(rests))


@contextmanager
def limited_to(limit_mb: int) -> Iterator[Group | None]:
    """A control group of so many megabytes; ``None`` for 0. It is made late: other programs clear away empty ones."""
    group = Group(Limits(memory=limit_mb * 10**6)) if limit_mb else None
    try:
        if group is not None and group.limits.memory is None:
            raise RuntimeError("No control group that limits memory can be made on this machine.")
        yield group
    finally:
        if group is not None:
            group.close()


def _moment(page: Served, models_folder: Path) -> Moment:
    program, server = parts(page, models_folder)
    shares = Held(held_by(program), held_by(server))
    return Moment(time.monotonic(), shares, own(program), own(server), libraries(program | server))


async def _watched(
    page: Served, models_folder: Path, load: Load, spoken: Sequence[bytes], moments: list[Moment]
) -> Figures:
    async def watch() -> None:
        while True:
            await asyncio.sleep(SAMPLES_S)
            moments.append(await asyncio.to_thread(_moment, page, models_folder))

    watching = asyncio.create_task(watch())
    try:
        return await hold_all(page, load, partial(Speaker, answers=spoken) if spoken else Candidate)
    finally:
        watching.cancel()


def _used(group: Group) -> tuple[float, int]:
    """The most megabytes that a group has held, and how many of its processes were ended for want of memory."""
    (folder,) = group.folders
    for most, ended in (("memory.max_usage_in_bytes", "memory.oom_control"), ("memory.peak", "memory.events")):
        if (folder / most).exists():
            told = dict(line.split() for line in (folder / ended).read_text().splitlines())
            return int((folder / most).read_text()) / 1e6, int(told["oom_kill"])
    raise RuntimeError(f"{folder} does not tell what it held.")


def told(hour: Hour) -> Iterator[str]:
    """What was seen, as Markdown."""
    begun = hour.moments[0].at
    yield f"{hour.interviews} interviews, {hour.answers} answers\n"
    yield "| min | page | model server | libraries of both | whole | proportional set sizes: page | model server |"
    yield "|---|---|---|---|---|---|---|"
    count = len(hour.moments)
    for place in sorted({round(row * (count - 1) / (ROWS - 1)) for row in range(ROWS)}):
        each = hour.moments[place]
        cells = (each.page, each.server, each.libraries, each.whole, *each.shares)
        yield f"| {(each.at - begun) / 60:.0f} | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |"
    yield f"\nThe most at any moment: {max(each.whole for each in hour.moments):.0f} MB."
    if count > 8:
        # Without the last, before which everything that is free was given back.
        held = [Sample(each.at - begun, each.whole, 0, 0) for each in hour.moments[:-1]]
        growth = slope(held)
        yield f"Growth over the second half: {growth.per_hour:+.0f} ± {2 * growth.error:.0f} MB an hour."
    if len(hour.rests) > 1:
        yield "\n| min | at rest: page | model server | libraries of both | whole |"
        yield "|---|---|---|---|---|"
        for each in hour.rests:
            cells = (each.page, each.server, each.libraries, each.whole)
            yield f"| {(each.at - begun) / 60:.0f} | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |"
        first, last = hour.rests[0], hour.rests[-1]
        grown = (last.whole - first.whole) * 3600 / (last.at - first.at)
        yield f"\nGrowth from the first rest to the last: {grown:+.0f} MB an hour.\n"
    if hour.peak:
        yield f"The control group held {hour.peak:.0f} MB at most, files included; {hour.killed} processes were ended."
    yield f"{len(hour.wrong)} things went wrong."
    yield from hour.wrong[:20]


def main() -> int:
    """Hold the interviews and print the memory."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--minutes", type=float, default=60.0)
    ask.add_argument("--silent", action="store_true", help="nobody speaks")
    ask.add_argument("--limit", type=int, default=0, metavar="MB", help="in a control group of so many megabytes")
    ask.add_argument("--parts", type=int, default=1, help="with a rest after each, to tell what is never given back")
    ask.add_argument("--think", type=float, nargs=2, default=THINKS_S, metavar="S", help="seconds before an answer")
    ask.add_argument("--answers", type=int, default=ANSWERS, help="in each interview")
    given = ask.parse_args()
    hour = hold(
        given.minutes,
        speaks=not given.silent,
        limit_mb=given.limit,
        parts=given.parts,
        think_s=tuple(given.think),
        answers=given.answers,
    )
    print("\n".join(told(hour)))
    return 1 if hour.wrong or hour.killed else 0


if __name__ == "__main__":
    sys.exit(main())
