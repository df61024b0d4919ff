"""Interviews with nobody present, and what is left of them when they are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.cli.scripted import ScriptedAnswer, read_answers, run_script
from interviewer.engine.service import InterviewService
from interviewer.session.events import Event, FollowUpAsked, GradingFailed
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest
from serving.errors import BadInputError, BadLineError, ProtocolError
from tests.interviewer.builders import KeywordGrader, Shelf, timeless
from tests.interviewer.crash_child import BANK, PLAN


def anyone(*texts: str) -> list[ScriptedAnswer]:
    return [ScriptedAnswer(question_id=None, answer=text) for text in texts]


def to(question_id: str, text: str) -> ScriptedAnswer:
    return ScriptedAnswer(question_id=question_id, answer=text)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


def run(
    journal: Journal, answers: list[ScriptedAnswer], plan: Plan = PLAN, grader: KeywordGrader | None = None
) -> tuple[list[tuple[str, tuple[str, ...], bool]], str]:
    """What was asked with its answers and whether it was skipped, and why the interview ended."""
    with InterviewService(journal, Shelf(BANK), grader or KeywordGrader(), patience_s=None) as service:
        state = service.state(run_script(service, plan, answers))
    assert state.ended is not None
    asked = [(turn.question.id, tuple(answer.text for answer in turn.answers), turn.skipped) for turn in state.asked]
    return asked, state.ended.reason


def test_answers_to_named_questions_decide_what_is_asked(journal: Journal) -> None:
    answers = [
        to("q3", "alpha"),
        to("q1", "alpha beta"),
        to("q3", "perhaps beta"),
        to("q3", "beta"),
        to("q1", "never needed"),
    ]
    asked, reason = run(journal, answers, PLAN.model_copy(update={"follow_ups": 1}))
    assert asked == [("q3", ("alpha", "perhaps beta"), False), ("q1", ("alpha beta",), False)]
    assert reason == "completed"


def test_the_parts_without_marks_are_passed_over(journal: Journal) -> None:
    asked, reason = run(journal, anyone("alpha"), PLAN.model_copy(update={"talks": True, "length": 1, "follow_ups": 0}))
    assert [texts for _, texts, _ in asked] == [("alpha",)]
    assert reason == "completed"


def test_answers_for_anything_are_used_in_order(journal: Journal) -> None:
    asked, reason = run(journal, anyone("alpha beta", "alpha", "beta", "beta alpha", "alpha beta"))
    assert [texts for _, texts, _ in asked] == [
        ("alpha beta",),
        ("alpha", "beta"),
        ("beta alpha",),
        ("alpha beta",),
    ]
    assert reason == "completed"


def test_when_answers_run_out_the_interview_ends(journal: Journal) -> None:
    asked, reason = run(journal, anyone("alpha beta", "alpha"))
    assert [texts for _, texts, _ in asked] == [("alpha beta",), ("alpha",)]
    assert reason == "ended by the person"


def test_when_a_named_question_has_no_more_answers_it_is_skipped_unless_any_answer_is_left(
    journal: Journal,
) -> None:
    asked, _ = run(journal, [to("q1", "alpha"), to("q2", "alpha"), *anyone("beta")])
    assert asked == [("q1", ("alpha", "beta"), False), ("q2", ("alpha",), True)]


def test_an_unknown_question_is_named(journal: Journal) -> None:
    with pytest.raises(BadInputError, match="no question nix"):
        run(journal, [to("nix", "x")])


def test_a_grader_that_breaks_protocol_does_not_stop_the_script(journal: Journal) -> None:
    def fail(request: GradeRequest) -> None:
        raise ProtocolError("It spoke in tongues.")

    asked, reason = run(journal, anyone("alpha", "beta", "gamma"), Plan(length=1), KeywordGrader(fail))
    assert (asked[0][1], reason) == (("alpha", "beta"), "completed")
    session = journal.sessions()[0]
    assert session.ungraded == 2
    assert sum(isinstance(event, GradingFailed) for event in journal.events(session.id)) == 2


def test_running_again_changes_nothing(journal: Journal) -> None:
    answers = anyone("alpha", "beta", "alpha beta")
    with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        session = run_script(service, PLAN, answers, "mine")
        before = journal.events(session)
        assert session == "mine"
        assert run_script(service, PLAN, answers, session) == session
    assert journal.events(session) == before


def test_a_service_that_does_not_wait_holds_it_too(journal: Journal) -> None:
    with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=30) as service:
        state = service.state(run_script(service, Plan(length=2), anyone("alpha beta", "alpha", "beta")))
    assert state.ended is not None
    assert state.ended.reason == "completed"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ('{"answer": "x"}', "exactly one of"),
        ('{"any": true, "question_id": "q1", "answer": "x"}', "exactly one of"),
        ('{"any": false, "answer": "x"}', "can only be true"),
        ('{"question_id": 7, "answer": "x"}', "must be a string"),
        ('{"question_id": "nix", "answer": "x"}', "no question nix"),
        ('{"any": true}', '"answer" is needed'),
        ('{"any": true, "answer": 5}', '"answer" is needed'),
        ('{"any": true, "answer": "  "}', "is empty"),
        ('{"any": true, "anwser": "x"}', '"anwser" is unknown'),
        ('{"any": true, "answer": "\\u0000"}', "cannot be typed"),
        ("[" * 100_000, "not a JSON object"),
        ("1" * 10_000, "not a JSON object"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"any": true, "answer": "fine"}\n\n' + line + "\n")
    with pytest.raises(BadLineError, match=why) as caught:
        read_answers(path, {"q1"}.__contains__)
    assert caught.value.line == 3
    assert str(path) in str(caught.value)


def test_lines_that_are_not_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'{"any": true, "answer": "fine"}\n\xff\xfe\x00')
    with pytest.raises(BadLineError, match="line 2: this is not UTF-8"):
        read_answers(path)


def test_a_file_without_answers_or_none_at_all_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"none\.jsonl cannot be read: No such file"):
        read_answers(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n \n")
    with pytest.raises(BadInputError, match="has no answers"):
        read_answers(tmp_path / "empty.jsonl")


def test_good_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"question_id": "q1", "answer": " one\\n"}\r\n{"any": true, "answer": "two"}')
    assert read_answers(path) == [to("q1", "one"), *anyone("two")]


# Killed for real from here on.

SCRIPT: list[dict[str, Any]] = [
    {"any": True, "answer": text}
    for text in ("alpha", "perhaps beta", "beta", "never alpha", "alpha beta", "gamma", "beta", "alpha beta")
]


def command(path: Path, answers: Path, seconds: float) -> list[str]:
    child = "tests.interviewer.crash_child"
    return [sys.executable, "-m", child, str(path), "mine", str(answers), str(seconds)]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("script") / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in SCRIPT))
    return path


@pytest.fixture(scope="module")
def undisturbed(answers: Path) -> tuple[Event, ...]:
    path = answers.parent / "undisturbed.db"
    subprocess.run(command(path, answers, 0.0), check=True, timeout=120)
    with Journal(path) as journal:
        events = journal.events("mine")
    assert sum(isinstance(event, FollowUpAsked) for event in events) >= 3
    return events


def kill_after(events: int, path: Path, child: subprocess.Popen[bytes], more_s: float) -> tuple[Event, ...]:
    """Kill a process some time after it stored that many events; what it left."""
    with Journal(path, patience_s=60) as journal:
        deadline = time.monotonic() + 60
        while len(journal.events("mine")) < events and child.poll() is None:
            assert time.monotonic() < deadline, "the script did not get that far"
            time.sleep(0.005)
        time.sleep(more_s)
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        return journal.events("mine")


@pytest.mark.by_number("interviewer/engine", "interviewer/storage")
@pytest.mark.parametrize("life", range(5))
def test_killed_at_a_random_moment_it_goes_on_and_ends_the_same(
    answers: Path, undisturbed: tuple[Event, ...], tmp_path: Path, life: int
) -> None:
    path = tmp_path / "journal.db"
    rng = random.Random(life)
    wanted = rng.randrange(1, len(undisturbed) - 8)
    child = subprocess.Popen(command(path, answers, 0.2))
    left = kill_after(wanted, path, child, rng.random() * 0.2)
    assert wanted <= len(left) < len(undisturbed)
    assert timeless(left) == timeless(undisturbed[: len(left)])
    subprocess.run(command(path, answers, 0.0), check=True, timeout=120)
    with Journal(path) as journal:
        events = journal.events("mine")
    assert events[: len(left)] == left
    assert timeless(events) == timeless(undisturbed)


@pytest.mark.by_number("interviewer/engine", "interviewer/storage")
def test_killed_while_an_answer_is_graded_the_answer_is_there(
    answers: Path, undisturbed: tuple[Event, ...], tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    child = subprocess.Popen(command(path, answers, 600.0))
    assert kill_after(3, path, child, 0.5)[-1].type == "answer_given"
    with Journal(path) as journal:
        assert journal.sessions()[0].ungraded == 1
    subprocess.run(command(path, answers, 0.0), check=True, timeout=120)
    with Journal(path) as journal:
        assert timeless(journal.events("mine")) == timeless(undisturbed)
