"""The loop that carries an interview, with a grader that needs no model."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from interviewer.engine.service import InterviewService
from interviewer.planning.ability import Estimate
from interviewer.planning.prior_sessions import past
from interviewer.policy.actions import GradeAnswer, Listen
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.questions import question_finding
from interviewer.session.events import (
    EVENT,
    AnswerGraded,
    FollowUpAsked,
    GradingFailed,
    HintGiven,
    InterviewEnded,
    InterviewStarted,
    QuestionAsked,
    QuestionRepeated,
)
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.queries import ungraded
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.input_validation import LONGEST_ANSWER
from knowledge.model import FlagKind, Hit, Kind, Level, Question, ReferenceFlag
from rubric.grading.grader import GradeRequest
from rubric.model import Criterion, Verdict
from serving.errors import BadInputError, ProtocolError, ServerGoneError, ServiceMissingError, StorageError
from tests.interviewer.builders import START, KeywordGrader, Shelf, at, question, timeless

BANK = [
    question("q1", topic="autograd", text="What is a leaf tensor?"),
    question("q2", topic="training", text="Why does momentum help?", hint="Think of a ball."),
    question("q3", topic="loading", text="How many workers should load data?"),
]
PLAN = Plan(length=3, follow_ups=1, question_ids=("q1", "q2", "q3"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


def conduct(
    journal: Journal,
    grader: KeywordGrader | None = None,
    *,
    patience_s: float | None = None,
    library: Shelf | None = None,
) -> InterviewService:
    return InterviewService(journal, library or Shelf(BANK), grader or KeywordGrader(), patience_s=patience_s)


def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def kinds(journal: Journal, session: str) -> list[str]:
    return [event.type for event in journal.events(session)]


def test_a_whole_interview(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        assert kinds(journal, session) == ["interview_started", "question_asked"]
        service.answer(session, "alpha", "r1")
        state = service.advance(session)
        assert state.current is not None
        assert state.current.follow_ups[0].kind is FollowUpKind.MISSING
        assert state.current.follow_ups[0].said.endswith("What about the thing after b?")
        service.answer(session, "beta", "r2")
        state = service.advance(session)
        first = state.asked[0]
        assert [grade.graded_text for grade in first.grades] == ["alpha", "alpha\n\nbeta"]
        assert [grade.grade.score for grade in first.grades] == [pytest.approx(2 / 3), pytest.approx(1.0)]
        assert first.answers[1].follow_up_id == first.follow_ups[0].id
        assert first.closed
        service.answer(session, "alpha beta", "r3")
        service.advance(session)
        service.skip(session, "r4")
        state = service.skip(session, "r5")
        assert state.ended is not None
        assert state.ended.reason == "completed"
        assert [asked.question.id for asked in state.asked] == ["q1", "q2", "q3"]
        assert [asked.skipped for asked in state.asked] == [False, False, True]
        events = journal.events(session)
        assert [event.at for event in events] == sorted({event.at for event in events})


def test_what_no_answer_is_needed_for_is_done_while_the_person_thinks(journal: Journal) -> None:
    grader = KeywordGrader()
    with conduct(journal, grader) as service:
        session = service.start(PLAN)
        until(lambda: grader.prepared)
        service.skip(session, "skip-1")
        until(lambda: len(grader.prepared) == 2)
    asked = [held.question for held in service.state(session).asked]
    assert grader.prepared == [(held.text, held.rubric.criteria) for held in asked if held.rubric is not None]
    assert not grader.requests


def test_what_cannot_be_prepared_is_left_to_the_grade(journal: Journal) -> None:
    class Unprepared(KeywordGrader):
        def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
            super().prepare(question, criteria)
            raise ServiceMissingError("the model is not there")

    grader = Unprepared()
    with conduct(journal, grader) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha", "answer-1")
        assert service.advance(session).asked[0].grades
    assert grader.prepared


def test_the_reason_of_every_question_is_kept_and_follows_the_answers(journal: Journal) -> None:
    levels = [
        question(f"{level.value}-{kind.value}", text=f"A {level.value} {kind.value} question?", level=level, kind=kind)
        for level in Level
        for kind in (Kind.CONCEPT, Kind.DEBUGGING)
    ]
    with conduct(journal, library=_Distinct(levels)) as service:
        session = service.start(Plan(length=4, follow_ups=0, topics=("autograd",)))
        for turn, text in enumerate(["alpha beta", "alpha beta", "no", "no"]):
            service.answer(session, text, f"r{turn}")
            service.advance(session)
        asked = service.state(session).asked
    why = [event.why for event in journal.events(session) if isinstance(event, QuestionAsked)]
    assert why[0] == "You chose autograd; this is the first question on it."
    assert all(why)
    assert [each.question.level for each in asked[:3]] == [Level.MID, Level.MID, Level.SENIOR]
    assert "You did well on two mid-level questions on autograd" in why[2]


def test_a_journal_of_before_there_were_reasons_still_loads(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
    started, asked = journal.events(session)
    old_plan = started.model_dump(mode="json", exclude={"plan": {"reviews"}})
    old_asked = asked.model_dump(mode="json", exclude={"why"})
    assert EVENT.validate_python(old_plan) == started
    assert EVENT.validate_python(old_asked) == asked.model_copy(update={"why": ""})


def test_an_able_person_is_led_higher_in_the_next_interview_by_two_answers(journal: Journal) -> None:
    levels = [question(f"{level.value}", text=f"A {level.value} thing?", level=level) for level in Level]
    more = [question(f"other-{level.value}", text=f"Another {level.value} matter?", level=level) for level in Level]
    plan = Plan(length=3, follow_ups=0, topics=("autograd",))
    with conduct(journal, library=_Distinct([*levels, *more])) as service:
        first = service.start(plan)
        for turn in range(3):
            service.answer(first, "alpha beta", f"r{turn}")
            service.advance(first)
        second = service.start(plan)
        for turn in range(2):
            service.answer(second, "alpha beta", f"again{turn}")
            state = service.advance(second)
    assert [each.question.level for each in state.asked[:2]] == [Level.MID, Level.MID]
    known = past([service.state(first)], START, ())
    assert Estimate(known.evidence).of("autograd").mean > 1
    assert state.asked[2].question.level is Level.SENIOR


def test_the_next_interview_asks_what_the_last_one_did_not(journal: Journal) -> None:
    bank = [question(f"q{number}", text=f"What is number {number} for?") for number in range(6)]
    asked: list[str] = []
    with conduct(journal, library=_Distinct(bank)) as service:
        for begun in range(2):
            session = service.start(Plan(length=3, follow_ups=0, topics=("autograd",)))
            for turn in range(3):
                service.answer(session, "alpha", f"{begun}-{turn}")
                service.advance(session)
            asked += [each.question.id for each in service.state(session).asked]
    assert sorted(asked) == [held.id for held in bank]


def test_every_request_is_done_once(journal: Journal) -> None:
    grader = KeywordGrader()
    with conduct(journal, grader) as service:
        session = service.start(PLAN)
        assert service.start(PLAN, session) == session
        requests: list[Callable[[], State]] = [
            lambda: service.hint(session, "h"),
            lambda: service.repeat(session, "p"),
            lambda: service.answer(session, "alpha", "a"),
            lambda: service.answer(session, "beta", "b"),
            lambda: service.skip(session, "s"),
            lambda: service.end(session, "e"),
        ]
        for sent, request in enumerate(requests, start=1):
            request()
            service.advance(session)
            before = journal.events(session)
            for earlier in requests[:sent]:
                earlier()
            service.advance(session)
            assert journal.events(session) == before
        assert len(grader.requests) == 2
        assert kinds(journal, session).count("interview_ended") == 1
        assert kinds(journal, session).count("question_skipped") == 1


def test_a_double_click_from_many_threads_is_one_answer(journal: Journal) -> None:
    with conduct(journal, patience_s=30) as service:
        session = service.start(PLAN)
        clicks = [threading.Thread(target=service.answer, args=(session, "alpha beta", "r1")) for _ in range(8)]
        for click in clicks:
            click.start()
        for click in clicks:
            click.join()
        until(lambda: len(service.state(session).asked) == 2)
        assert kinds(journal, session).count("answer_given") == 1
        assert kinds(journal, session).count("answer_graded") == 1


def test_a_request_id_serves_one_kind_of_request(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        service.hint(session, "r1")
        with pytest.raises(BadInputError, match="used for something else"):
            service.answer(session, "alpha", "r1")
        for odd in ("", "x" * 151, "question:2"):
            with pytest.raises(BadInputError, match="request id"):
                service.answer(session, "alpha", odd)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  ", "Say or type something, or skip"),
        ("x" * (LONGEST_ANSWER + 1), "20,000"),
        ("\0\1\2", "cannot be typed"),
    ],
)
def test_a_bad_answer_is_explained_and_nothing_recorded(journal: Journal, text: str, words: str) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        before = journal.events(session)
        with pytest.raises(BadInputError, match=words):
            service.answer(session, text, "r1")
        assert journal.events(session) == before


def test_the_answer_is_on_the_disk_before_it_is_graded(journal: Journal) -> None:
    release = threading.Event()
    grader = KeywordGrader(lambda request: _wait(release))
    with conduct(journal, grader, patience_s=60) as service:
        session = service.start(PLAN)
        state = service.answer(session, "alpha", "r1")
        assert isinstance(next_action(state), GradeAnswer)
        assert kinds(journal, session)[-1] == "answer_given"
        release.set()
        until(lambda: kinds(journal, session)[-1] == "follow_up_asked")


def test_the_interview_goes_on_by_itself_when_the_mark_comes(journal: Journal) -> None:
    with conduct(journal, patience_s=60) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha beta", "r1")
        until(lambda: len(service.state(session).asked) == 2)


def test_without_a_mark_in_time_the_probe_is_asked_and_the_late_mark_counts(journal: Journal) -> None:
    release = threading.Event()
    with conduct(journal, KeywordGrader(lambda request: _wait(release)), patience_s=0.05) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha", "r1")
        until(lambda: kinds(journal, session)[-1] == "follow_up_asked")
        state = service.state(session)
        assert state.asked[0].follow_ups[0].kind is FollowUpKind.UNGRADED
        assert [answer.id for answer in ungraded(state)] == ["r1"]
        assert state.asked[0].grades == ()
        service.answer(session, "beta", "r2")
        until(lambda: len(service.state(session).asked) == 2)
        release.set()
        until(lambda: not ungraded(service.state(session)))
        state = service.state(session)
        assert [grade.answer_id for grade in state.asked[0].grades] == ["r1", "r2"]
        assert state.asked[0].failures == ()


def test_a_server_that_comes_back_grades_what_it_missed(journal: Journal) -> None:
    failures = iter([ServerGoneError("It is gone.")] * 3)

    def fail_first(request: GradeRequest) -> None:
        if (failure := next(failures, None)) is not None:
            raise failure

    grader = KeywordGrader(fail_first)
    with conduct(journal, grader) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha beta", "r1")
        state = service.advance(session)
        assert len(grader.requests) == 4
        assert state.asked[0].grades[0].grade.score == pytest.approx(1.0)
        assert "grading_failed" not in kinds(journal, session)


@pytest.mark.parametrize("failure", [ProtocolError("It spoke in tongues."), ValueError("a fault of ours")])
def test_what_trying_again_does_not_help_is_ungraded_and_due(journal: Journal, failure: Exception) -> None:
    def fail(request: GradeRequest) -> None:
        raise failure

    with conduct(journal, KeywordGrader(fail)) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha", "r1")
        state = service.advance(session)
        assert isinstance(next_action(state), Listen)
        assert state.asked[0].follow_ups[0].kind is FollowUpKind.UNGRADED
        assert len(state.asked[0].failures) == 1
        service.end(session, "e")
        assert service.advance(session).ended is not None
    with conduct(journal) as healed:
        healed.resume_all()
        until(lambda: not ungraded(healed.state(session)))
        state = healed.state(session)
        assert state.asked[0].grades[0].grade.score == pytest.approx(2 / 3)
        assert state.asked[0].failures == ()


def test_after_a_restart_an_ungraded_answer_is_graded_and_the_interview_goes_on(journal: Journal) -> None:
    gone = threading.Event()

    def fail(request: GradeRequest) -> None:
        gone.set()
        raise ServerGoneError("It is gone.")

    with conduct(journal, KeywordGrader(fail), patience_s=60) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha", "r1")
        assert gone.wait(20)
    assert kinds(journal, session)[-1] == "answer_given"
    with conduct(journal, patience_s=60) as again:
        again.resume_all()
        until(lambda: kinds(journal, session)[-1] == "follow_up_asked")


def test_closing_does_not_wait_for_a_server_that_is_gone(journal: Journal) -> None:
    tried = threading.Event()

    def fail(request: GradeRequest) -> None:
        tried.set()
        raise ServerGoneError("It is gone.")

    of_others = set(threading.enumerate())
    service = conduct(journal, KeywordGrader(fail), patience_s=120)
    session = service.start(PLAN)
    service.answer(session, "alpha", "r1")
    assert tried.wait(60)
    before = time.monotonic()
    service.close()
    # Far below the patience, and far above what a busy machine takes.
    assert time.monotonic() - before < 60
    until(lambda: not any(each.name.startswith("grading") for each in set(threading.enumerate()) - of_others), 60)
    assert kinds(journal, session)[-1] == "answer_given"


def test_closing_lets_go_of_whoever_waits_for_a_mark(journal: Journal) -> None:
    release = threading.Event()
    service = conduct(journal, KeywordGrader(lambda request: _wait(release)))
    session = service.start(PLAN)
    service.answer(session, "alpha", "r1")
    waiting = threading.Thread(target=service.advance, args=(session,))
    waiting.start()
    service.close()
    waiting.join(10)
    assert not waiting.is_alive()
    release.set()
    assert kinds(journal, session)[-1] == "answer_given"


_HANG = """
import sys, threading
from pathlib import Path
from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.engine.test_service import BANK, PLAN

begun = threading.Event()

def hang(request):
    begun.set()
    threading.Event().wait()

with Journal(Path(sys.argv[1])) as journal:
    with InterviewService(journal, Shelf(BANK), KeywordGrader(hang), patience_s=600) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha", "r1")
        begun.wait()
"""


def test_leaving_the_program_does_not_wait_for_a_grader_that_hangs(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    subprocess.run([sys.executable, "-c", _HANG, str(path)], check=True, timeout=60)
    with Journal(path) as journal:
        assert journal.sessions()[0].ungraded == 1


def test_hint_and_repeat_say_something_and_keep_the_turn(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        service.skip(session, "s")
        service.hint(session, "h1")
        service.hint(session, "h2")
        service.answer(session, "alpha", "a")
        service.advance(session)
        state = service.repeat(session, "p")
        turns = state.asked[1].turns
        hints = [turn.said for turn in turns if isinstance(turn, HintGiven)]
        assert hints[0].endswith("Think of a ball.")
        assert hints[1] != hints[0]
        again = next(turn for turn in turns if isinstance(turn, QuestionRepeated))
        drilled = next(turn for turn in turns if isinstance(turn, FollowUpAsked))
        assert again.said.endswith(drilled.said)
        assert isinstance(next_action(state), Listen)


def test_what_is_said_before_the_marks_gives_nothing_of_the_criteria_away(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        service.hint(session, "h")
        service.answer(session, "no idea", "r1")
        service.advance(session)
        for event in journal.events(session):
            said = getattr(event, "said", "")
            assert "alpha" not in said
            assert "Secret" not in said


def test_after_the_end_nothing_is_taken_any_more(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        service.end(session, "e1")
        before = journal.events(session)
        for request in (service.hint, service.repeat, service.skip):
            with pytest.raises(BadInputError, match="is over"):
                request(session, "x")
        with pytest.raises(BadInputError, match="is over"):
            service.answer(session, "alpha", "x")
        service.end(session, "e2")
        assert journal.events(session) == before


def test_ending_while_an_answer_is_graded_still_grades_it(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha beta", "r1")
        service.end(session, "e")
        state = service.advance(session)
        assert state.ended is not None
        assert not ungraded(state)


def test_unknown_interviews_and_questions_are_named(journal: Journal) -> None:
    with conduct(journal) as service:
        with pytest.raises(BadInputError, match="no interview nowhere"):
            service.state("nowhere")
        with pytest.raises(BadInputError, match="no interview nowhere"):
            service.answer("nowhere", "x", "r")
        with pytest.raises(BadInputError, match="no question nix"):
            service.start(Plan(question_ids=("nix",)))
        with pytest.raises(BadInputError, match="no question on cooking"):
            service.start(Plan(topics=("cooking",)))
        assert journal.sessions() == ()


def test_a_topic_in_ones_own_words_is_searched_for(journal: Journal) -> None:
    with conduct(journal) as service:
        session = service.start(Plan(topics=("momentum help does training",), length=2))
        assert service.state(session).asked[0].question.id == "q2"
        service.skip(session, "s1")
        state = service.skip(session, "s2")
        assert state.ended is not None
        assert state.ended.reason == "no questions left"


def test_near_duplicates_are_not_asked(journal: Journal) -> None:
    twins = [
        question("a", text="What does a leaf tensor keep after the backward pass is done?"),
        question("b", text="What does a leaf tensor keep after the backward pass is over?"),
        question("c", text="How is a scheduler stepped?"),
    ]
    with conduct(journal, library=Shelf(twins)) as service:
        session = service.start(Plan(length=3))
        service.skip(session, "s1")
        state = service.skip(session, "s2")
        ids = {asked.question.id for asked in state.asked}
        assert "c" in ids
        assert len(ids) == 2


class _Distinct(Shelf):
    """Questions none of which is near another."""

    def near(self, question: Question) -> frozenset[str]:
        return frozenset()


class _NoEmbedder(Shelf):
    def near(self, question: Question) -> frozenset[str]:
        return frozenset()

    def search(self, text: str, k: int) -> list[Hit]:
        raise ServiceMissingError("The embedder is not there.")


def test_the_interview_needs_no_search_unless_the_person_chose_the_words(journal: Journal) -> None:
    with conduct(journal, library=_NoEmbedder(BANK)) as service:
        session = service.start(Plan(length=2))
        assert len(service.skip(session, "s").asked) == 2
        with pytest.raises(ServiceMissingError):
            service.start(Plan(topics=("backprop",)))


def test_a_question_out_of_a_document_gets_a_rubric_when_it_is_asked(journal: Journal) -> None:
    reference = (
        "Leaf tensors that require a gradient keep it after the backward pass. "
        "Gradients of intermediate tensors are freed as soon as they were used."
    )
    found = question("doc", rubric=None, reference=reference)
    empty = question("empty", rubric=None, reference="")
    with conduct(journal, library=Shelf([empty, found])) as service:
        session = service.start(Plan(length=2))
        asked = service.state(session).asked[0].question
        assert asked.id == "doc"
        assert asked.rubric is not None
        assert asked.rubric.origin == "derived"
        with pytest.raises(BadInputError, match="empty cannot be graded"):
            service.start(Plan(question_ids=("empty",)))


@pytest.mark.parametrize(
    ("flagged", "origin", "score"), [(True, "derived", 1.0), (False, "derived", 2 / 3), (True, "given", 2 / 3)]
)
def test_contradicting_a_flagged_reference_costs_nothing(
    journal: Journal, flagged: bool, origin: Literal["derived", "given"], score: float
) -> None:
    flag = ReferenceFlag(kind=FlagKind.DEPRECATED, reason="torch.beta is gone.")
    asked = question("doc")
    assert asked.rubric is not None
    rubric = asked.rubric.model_copy(update={"origin": origin})
    asked = asked.model_copy(update={"rubric": rubric, "flags": (flag,) if flagged else ()})
    with conduct(journal, library=Shelf([asked])) as service:
        session = service.start(Plan(length=1, follow_ups=1))
        service.answer(session, "It is alpha and never beta.", "r1")
        state = service.advance(session)
        found = question_finding(state.asked[0])
    assert found.final == pytest.approx(score)
    assert sum(point.share for point in found.criteria) == pytest.approx(1.0)
    waived = score == 1.0
    assert found.criteria[1].verdict is (Verdict.UNSCORED if waived else Verdict.CONTRADICTED)
    assert ("torch.beta is gone." in found.criteria[1].reason) is waived
    # What does not count is not asked about again.
    assert bool(state.asked[0].follow_ups) is not waived


def test_a_mark_the_disk_refused_is_kept_and_stored_next_time(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    grader = KeywordGrader()
    append = Journal.append
    broken = threading.Event()
    broken.set()

    def refuse(self: Journal, session_id: str, event: object) -> bool:
        if broken.is_set() and isinstance(event, AnswerGraded):
            raise StorageError("The disk is full.")
        return append(self, session_id, event)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", refuse)
    with conduct(journal, grader) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha beta", "r1")
        with pytest.raises(StorageError, match="disk is full"):
            service.advance(session)
        broken.clear()
        state = service.advance(session)
        assert state.asked[0].grades[0].grade.score == pytest.approx(1.0)
        assert len(grader.requests) == 1


def test_times_never_run_backwards_even_if_the_clock_does(journal: Journal) -> None:
    times = iter([at(100), at(50), at(10)])
    last = START - timedelta(days=1)
    service = InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None, clock=lambda: next(times, last))
    with service:
        session = service.start(PLAN)
        service.answer(session, "alpha beta", "r1")
        state = service.advance(session)
        events = journal.events(session)
        assert [event.at for event in events] == sorted({event.at for event in events})
        assert len(state.asked) == 2


def test_an_interview_cut_at_any_event_ends_like_the_undisturbed_one(journal: Journal, tmp_path: Path) -> None:
    def play(service: InterviewService, session: str) -> None:
        service.start(PLAN, session)
        texts = ["alpha", "perhaps beta", "never alpha", "alpha beta", "gamma", "beta"]
        while (state := service.advance(session)).ended is None:
            given = sum(len(asked.answers) for asked in state.asked)
            service.answer(session, texts[given], f"r{given}")

    with conduct(journal) as service:
        play(service, "whole")
    whole = journal.events("whole")
    assert isinstance(whole[0], InterviewStarted)
    assert isinstance(whole[-1], InterviewEnded)
    assert len(whole) > 15
    for cut in range(len(whole)):
        with Journal(tmp_path / f"{cut}.db") as other, conduct(other) as service:
            for event in whole[:cut]:
                other.append("cut", event)
            service.resume_all()
            play(service, "cut")
            assert timeless(other.events("cut")) == timeless(whole)
    assert fold(whole).ended is not None


def test_two_services_on_one_journal_do_not_get_in_each_others_way(journal: Journal) -> None:
    with Journal(journal.path) as second, conduct(journal) as one, conduct(second) as other:
        session = one.start(PLAN)
        one.answer(session, "alpha", "r1")
        players = [threading.Thread(target=c.advance, args=(session,)) for c in (one, other)]
        for player in players:
            player.start()
        for player in players:
            player.join()
        assert kinds(journal, session) == [
            "interview_started",
            "question_asked",
            "answer_given",
            "answer_graded",
            "follow_up_asked",
        ]


def test_failures_are_in_the_persons_words(journal: Journal) -> None:
    def fail(request: GradeRequest) -> None:
        raise KeyError("logprobs")

    with conduct(journal, KeywordGrader(fail)) as service:
        session = service.start(PLAN)
        service.answer(session, "alpha", "r1")
        service.advance(session)
    failure = next(event for event in journal.events(session) if isinstance(event, GradingFailed))
    assert "logprobs" not in failure.reason
    assert any(isinstance(event, QuestionAsked) for event in journal.events(session))


def _wait(release: threading.Event) -> None:
    assert release.wait(60)
