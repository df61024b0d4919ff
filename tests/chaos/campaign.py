"""Holds an interview for each moment and compares its marks with those of one that nothing was killed in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import psutil
from playwright.sync_api import Browser, sync_playwright

from interviewer.session.events import Event
from interviewer.session.journal import new_session_id
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.chaos import holding
from tests.chaos.killer import Killer, victim_of
from tests.chaos.moments import Moment, Victim, Way
from tests.chaos.script import ROWS, is_marked, marks, report, told_wrongly
from tests.chaos.stage import Stage, answers_file, until


class Result(NamedTuple):
    """What came of one moment.

    Attributes:
        moment: which.
        events: number of events when the process was killed, and at the end.
        killed: process id of what was killed; 0 where the interview was over before.
        seconds: that the interview took.
        wrong: what is not as it must be.

    """

    moment: Moment
    events: tuple[int, int]
    killed: int
    seconds: float
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        """The result in one line."""
        way, victim = self.moment.way, self.moment.victim
        how = "; ".join(self.wrong) or ("the same" if self.killed else "over before anything was killed")
        return (
            f"{way:18} {victim:14} after {self.events[0]:2} of {self.events[1]:2} events, {self.seconds:5.1f} s: {how}"
        )


class Campaign:
    """Interviews on one stage.

    Args:
        stage: where.
        seed: of what is left to chance beside the moments.

    """

    def __init__(self, stage: Stage, seed: int = 0) -> None:
        self._stage, self._seed = stage, seed
        self._answers = answers_file(stage.folder, ROWS)
        self._undisturbed: dict[Way, tuple[Event, ...]] = {}
        self._browsers = ExitStack()
        self._launch: Callable[[], Browser] | None = None

    def hold(self, moments: Sequence[Moment]) -> Iterator[Result]:
        """Yields what came of each moment."""
        with self._browsers:
            for number, moment in enumerate(moments):
                yield self._disturbed(moment, self._seed + number)

    def _disturbed(self, moment: Moment, seed: int) -> Result:
        wanted = self._wanted(Way.COMMAND if moment.way is Way.COMMAND else Way.PAGE)
        session, begun = new_session_id(), time.monotonic()
        running: list[int] = []
        find = victim_of(self._stage, moment, seed) if moment.victim is not Victim.BROWSER else self._browser
        if moment.way is Way.COMMAND and moment.victim is Victim.APP:
            find = lambda: _alive(running[-1]) if running else None  # noqa: E731
        wrong: list[str] = []
        with Killer(self._stage, session, moment, len(wanted), find) as killer:
            try:
                self._held(moment.way, session, killer.coding.set, running.append)
            except (RuntimeError, TimeoutError) as error:
                wrong.append(f"{type(error).__name__}: {error}")
        events = self._events(session)
        wrong += compared(moment.way, wanted, events, killer.left)
        return Result(moment, (len(killer.left), len(events)), killer.killed, time.monotonic() - begun, tuple(wrong))

    def _wanted(self, way: Way) -> tuple[Event, ...]:
        if way not in self._undisturbed:
            session = new_session_id()
            self._held(way, session, lambda: None, lambda _: None)
            self._undisturbed[way] = self._events(session)
        return self._undisturbed[way]

    def _held(self, way: Way, session: str, coding: Callable[[], None], started: Callable[[int], None]) -> None:
        if way is Way.COMMAND:
            holding.by_command(self._stage, session, self._answers, started)
            return
        self._stage.restart()
        holding.begin(self._stage, session)
        if way is Way.PAGE:
            holding.on_page(self._stage, session, coding)
        else:
            holding.in_browser(self._stage, session, self._browser_launcher())
        self._stage.restart()
        until(lambda: is_marked(self._events(session)), "the last mark")

    def _events(self, session: str) -> tuple[Event, ...]:
        with self._stage.journal() as journal:
            return journal.events(session)

    def _browser_launcher(self) -> Callable[[], Browser]:
        if self._launch is None:
            playwright = self._browsers.enter_context(sync_playwright())
            self._launch = lambda: playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        return self._launch

    def _browser(self) -> psutil.Process | None:
        """The first of the browser's processes."""
        below = psutil.Process().children(recursive=True)
        return next((each for each in below if _is_browser(each)), None)


def _is_browser(process: psutil.Process) -> bool:
    try:
        line = process.cmdline()
    except psutil.Error:
        return False
    return bool(line) and "chrom" in line[0] and not any(part.startswith("--type=") for part in line)


def _alive(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def compared(way: Way, wanted: Sequence[Event], events: Sequence[Event], left: Sequence[Event]) -> Iterator[str]:
    """What of an interview is not as it must be."""
    if tuple(events[: len(left)]) != tuple(left):
        yield "events that were stored when the process was killed are gone"
    if not is_marked(events):
        yield "it is not over, or an answer has no mark"
    elif marks(events) != marks(wanted):
        yield f"the marks differ: {_difference(marks(wanted), marks(events))}"
    elif way is Way.COMMAND and report("", events) != report("", wanted):
        yield "the report differs"
    yield from (f"right code was told: {message}" for message in told_wrongly(events))


def _difference(wanted: list[dict[str, Any]], got: list[dict[str, Any]]) -> str:
    if len(wanted) != len(got):
        return f"{len(got)} questions instead of {len(wanted)}"
    keys = [(place, key) for place, each in enumerate(wanted) for key in each if each[key] != got[place][key]]
    return ", ".join(f"question {place + 1}: {key}: {got[place][key]!r:.200}" for place, key in keys)
