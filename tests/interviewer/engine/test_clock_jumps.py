"""The machine's clock is put forward or back by hours while interviews are held: their time goes on as it did."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.engine.steady_clock import SLEW, SteadyClock
from interviewer.planning.agenda import InterviewOptions
from interviewer.policy.time_limit import runs_over
from interviewer.session.clock import LONGEST_GAP_S
from interviewer.session.events import AnswerGiven, TimeCalled
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.view_state import turn_of
from tests.interviewer.builders import START, KeywordGrader, Shelf, question

SHELF = Shelf([question(f"q{number}", topic=f"topic {number}", minutes=5) for number in range(8)])
JUMPS = [timedelta(hours=5), timedelta(hours=-5), timedelta(days=40), timedelta(days=-40), timedelta(seconds=1)]


class Machine:
    """A machine's clock, which can be put forward and back, and its uptime, which cannot."""

    def __init__(self) -> None:
        self.wall, self.up = START, 5000.0

    def wait(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.up += seconds

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall, lambda: self.up)


def hold(folder: Path, disturb: Callable[[Machine, int], None] = lambda *_: None, *, restart: bool = False) -> State:
    """Five minutes of an interview of half an hour, an answer each half minute; ``disturb`` comes between them."""
    machine, session = Machine(), "0123456789abcdef" * 2
    with Journal(folder / "journal.db") as journal:

        def opened() -> InterviewService:
            return InterviewService(journal, SHELF, KeywordGrader(), patience_s=None, clock=machine.clock())

        service = opened()
        wish = InterviewOptions(minutes=30, talks=False, follow_ups=1)
        controller = PageController(service, journal)
        state = controller.start(session, wish, SHELF.questions())
        for number in range(10):
            for _ in range(30):
                machine.wait(1)
                controller.look(session, "")
            disturb(machine, number)
            if restart and number == 4:
                service.close()
                service = opened()
                controller = PageController(service, journal)
            # Marks that come between the look and the answer move the interview on; then it was not for this turn.
            while controller.act(
                session, turn_of(controller.state(session)), "answer", f"Number {number} is alpha."
            ).note:
                pass
        state = controller.state(session)
        assert not runs_over(state, service.now(session, state))
        service.close()
    return state


def events(state: State, kind: type) -> list[object]:
    return [turn for asked in state.asked for turn in asked.turns if isinstance(turn, kind)]


def test_an_undisturbed_interview_lasts_as_long_as_it_lasts(tmp_path: Path) -> None:
    state = hold(tmp_path)
    assert state.active_s == pytest.approx(300, abs=1)
    assert len(events(state, AnswerGiven)) == 10
    assert events(state, TimeCalled) == []


@pytest.mark.parametrize("by", JUMPS)
def test_a_jump_neither_uses_time_up_nor_stops_it(tmp_path: Path, by: timedelta) -> None:
    def jump(machine: Machine, number: int) -> None:
        machine.wall += by if number == 4 else timedelta()

    state = hold(tmp_path, jump)
    assert state.active_s == pytest.approx(300, rel=SLEW)
    assert len(events(state, AnswerGiven)) == 10
    assert events(state, TimeCalled) == []


def test_a_clock_that_does_not_know_what_it_wants_changes_nothing(tmp_path: Path) -> None:
    def jump(machine: Machine, number: int) -> None:
        machine.wall += timedelta(hours=7 if number % 2 else -7)

    assert hold(tmp_path, jump).active_s == pytest.approx(300, rel=SLEW)


def test_a_clock_put_back_across_a_restart_does_not_stop_the_time(tmp_path: Path) -> None:
    def jump(machine: Machine, number: int) -> None:
        machine.wall -= timedelta(hours=5 if number == 4 else 0)

    assert hold(tmp_path, jump, restart=True).active_s == pytest.approx(300, rel=0.15)


@pytest.mark.parametrize("by", JUMPS)
def test_the_time_of_day_is_right_again_slowly_or_after_a_silence(by: timedelta) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall += by
    before, off = clock(), abs(by.total_seconds())
    for _ in range(600):
        machine.wait(10)
        now = clock()
        assert (1 - SLEW) * 10 - 1e-3 <= (now - before).total_seconds() <= (1 + SLEW) * 10 + 1e-3
        before = now
    assert abs((machine.wall - before).total_seconds()) == pytest.approx(max(off - SLEW * 6000, 0), abs=0.1)
    machine.wait(LONGEST_GAP_S)
    assert clock() == machine.wall


def test_the_machines_own_clock_is_told_where_nothing_jumps() -> None:
    from datetime import UTC, datetime

    clock = SteadyClock()
    readings = [clock() for _ in range(1000)]
    assert readings == sorted(readings)
    assert abs((datetime.now(UTC) - readings[-1]).total_seconds()) < 5
