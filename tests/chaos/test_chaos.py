"""A process is killed in the middle of an interview, and its marks are those of one that nothing was killed in.

The app and the model server, killed under the command line with the real judge, are in tests/integration/test_kill.py;
here it is the guardian, a sandbox worker and the browser behind the page, with a stand-in for the model.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from tests.chaos.campaign import Campaign, Result, compared
from tests.chaos.killer import Killer
from tests.chaos.moments import EVERY, Moment, Victim, Way, moments
from tests.chaos.script import is_marked, marks
from tests.chaos.stage import Stage
from tests.interviewer.report.sample_session import telling

SAMPLE = (
    Moment(Way.PAGE, Victim.GUARDIAN, 0.4, 0.1),
    Moment(Way.PAGE, Victim.WORKER, 0.0, 0.2),
    Moment(Way.BROWSER, Victim.BROWSER, 0.3, 0.2),
)


def held(folder: Path, wanted: list[Moment]) -> list[Result]:
    stage = Stage(folder)
    try:
        return list(Campaign(stage).hold(wanted))
    finally:
        stage.close()


@pytest.mark.by_number("serving/llm", "serving/sandbox", "tests/chaos")
@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_guardian_a_worker_and_a_browser_may_die(tmp_path: Path) -> None:
    results = held(tmp_path, list(SAMPLE))
    assert [result.wrong for result in results] == [()] * len(SAMPLE), "\n".join(map(str, results))
    assert all(result.killed for result in results), "\n".join(map(str, results))


@pytest.mark.full
@pytest.mark.browser
@pytest.mark.timeout(7200)
def test_fifty_random_moments_change_no_mark(tmp_path: Path) -> None:
    results = held(tmp_path, moments(50, seed=1))
    assert [result for result in results if result.wrong] == []
    assert sum(bool(result.killed) for result in results) >= 40


def test_moments_are_the_same_for_a_seed_and_of_every_kind() -> None:
    first = moments(50, seed=1)
    assert first == moments(50, seed=1)
    assert first != moments(50, seed=2)
    counts = Counter((moment.way, moment.victim) for moment in first)
    assert counts.keys() == set(EVERY)
    assert min(counts.values()) >= 5
    assert {moment.victim for moment in first} == set(Victim)


def test_a_process_that_ends_by_itself_is_not_taken_for_one_that_was_killed() -> None:
    class Ended:
        def is_running(self) -> bool:
            return True

        def kill(self) -> None:
            raise psutil.NoSuchProcess(1)

    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as living:
        found = iter([Ended(), None, psutil.Process(living.pid)])
        journal = SimpleNamespace(events=lambda _: ("an event",))
        stage = SimpleNamespace(journal=lambda: nullcontext(journal), remember=lambda: None)
        moment = Moment(Way.PAGE, Victim.WORKER, 0.0, 0.0)
        killer = Killer(stage, "session", moment, 1, lambda: next(found))  # type: ignore[arg-type]
        killer.coding.set()
        killer._work()
        assert killer.killed == living.pid
        assert living.wait() == -signal.SIGKILL
    assert killer.left == ("an event",)


def test_a_difference_is_told() -> None:
    events = tuple(telling().events)
    # An answer of the sample could not be graded; without it all are.
    last = next(place for place, event in enumerate(events) if event.type == "grading_failed")
    whole = tuple(event for place, event in enumerate(events) if place not in {last - 1, last})
    assert is_marked(whole)
    assert marks(whole) == marks(whole)
    assert list(compared(Way.COMMAND, whole, whole, whole[:5])) == []
    other = [event for event in whole if event.type != "answer_graded"]
    assert "no mark" in next(compared(Way.PAGE, whole, other, ()))
    second = [event.id for event in whole if event.type == "question_asked"][1]
    fewer = tuple(event for event in whole if second not in {event.id, getattr(event, "asked_id", None)})
    assert any("differ" in each for each in compared(Way.PAGE, whole, fewer, ()))
    assert "are gone" in next(compared(Way.PAGE, whole, whole[1:], whole[:3]))
