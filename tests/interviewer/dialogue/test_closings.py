"""What becomes of what an answer ends with: it is replied to, kept for the end, or ends the question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.kept_questions import kept_questions, taken_up
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGraded, HintGiven
from interviewer.session.plan import Mode, Plan, SegmentKind
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.segment_cues import asks_about
from knowledge.model import Kind
from rubric.coding.task import CodingTask
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [
    question("q1", text="What is alpha?", keywords=("alpha", "beta"), reference="It is alpha."),
    question(
        "q2",
        text="What is gamma?",
        keywords=("gamma", "delta"),
        reference="A quokka is a small marsupial of an island.",
    ),
]
ANSWER = "alpha is what everything here is about, and it comes before all of the others in the list. "


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as made,
    ):
        yield made


def begun(service: InterviewService, *, talks: bool = False, follow_ups: int = 1) -> str:
    session = service.start(Plan(question_ids=("q1", "q2"), talks=talks, follow_ups=follow_ups))
    if talks:
        service.answer(session, "I work on engines.", "warm-up")
    service.advance(session)
    return session


@contextmanager
def coding(folder: Path) -> Iterator[tuple[InterviewService, str]]:
    """An interview that waits for code."""
    task = CodingTask(
        starter="def f():\n    pass\n",
        solution="def f():\n    return 1\n",
        tests="def example_one(t):\n    yield 1, f()\n",
    )
    asked = question("q1", text="Write f.", kind=Kind.CODING, task=task, hint="Think of one.")
    with (
        Journal(folder / "code.db") as journal,
        InterviewService(journal, Shelf([asked]), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(Plan(question_ids=("q1",), editor=True))
        service.advance(session)
        yield service, session


def answered(service: InterviewService, session: str, text: str, name: str = "a1") -> State:
    service.answer(session, text, name)
    return service.advance(session)


@pytest.mark.parametrize(
    ("end", "key"),
    [
        ("Does that make sense?", "check"),
        ("Can you tell me if that was right?", "check"),
        ("or did you mean the other one?", "meant"),
    ],
)
def test_who_asks_at_the_end_of_an_answer_is_replied_to(service: InterviewService, end: str, key: str) -> None:
    state = answered(service, begun(service), ANSWER + end)
    assert acknowledge(state)["a1"].endswith(templates.ACK_REPLIES[key])
    assert state.asked[0].answers[0].text == ANSWER + end


def test_who_asks_for_a_hint_after_an_answer_gets_one_and_keeps_the_floor(service: InterviewService) -> None:
    session = begun(service)
    state = answered(service, session, ANSWER + "I think there is more, could you give me a nudge?")
    asked = state.asked[0]
    assert isinstance(asked.turns[-1], HintGiven)
    assert asked.answers[0].unfinished
    assert acknowledge(state)[asked.answers[0].id] in templates.SURE
    assert not asked.follow_ups
    after = answered(service, session, "It is beta as well.", "then").asked[0]
    assert [answer.unfinished for answer in after.answers] == [True, False]


def test_in_an_exam_nobody_is_promised_a_hint(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1", "q2"), follow_ups=1, mode=Mode.EXAM))
    service.advance(session)
    state = answered(service, session, ANSWER + "I think there is more, could you give me a nudge?")
    assert not any(isinstance(turn, HintGiven) for turn in state.asked[0].turns)
    assert "exam" in acknowledge(state)["a1"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Is there a known number for how large quokka colonies get?", True),
        ("Is there something specific about it you're after?", False),
        ("Is there something specific about it your after?", False),
        ("Is that what you were looking for?", False),
    ],
)
def test_only_a_question_that_can_be_understood_later_is_kept(service: InterviewService, said: str, kept: bool) -> None:
    state = answered(service, begun(service, follow_ups=0), ANSWER + said)
    assert bool(kept_questions(state)) == kept


def test_who_asks_for_a_hint_while_code_is_waited_for_gets_one(tmp_path: Path) -> None:
    with coding(tmp_path) as (service, session):
        said = "I return what is asked for, and nothing else is kept. Could I have a hint on that?"
        state = answered(service, session, said)
    hints = [turn.said for turn in state.asked[0].turns if isinstance(turn, HintGiven)]
    assert len(hints) == 1
    assert hints[0].endswith("Think of one.")


@pytest.mark.parametrize("begin", ["I said that already:", "I, um, I just said that, so,"])
def test_who_has_said_it_before_is_believed(service: InterviewService, begin: str) -> None:
    state = answered(service, begun(service), f"{begin} {ANSWER}")
    assert acknowledge(state)["a1"].endswith(templates.ACK_REPLIES["said"])


def test_who_offers_to_say_more_is_listened_to(service: InterviewService) -> None:
    session = begun(service)
    state = answered(service, session, ANSWER + "Should I go into beta as well?")
    assert acknowledge(state)["a1"] in templates.PLEASE_DO
    assert not state.asked[0].follow_ups
    state = answered(service, session, "beta comes right after it.", "a2")
    assert [verdict.credit for verdict in state.asked[0].grades[0].grade.criteria] == [1.0, 1.0]


def test_who_is_done_with_a_question_is_not_asked_on(service: InterviewService) -> None:
    state = answered(service, begun(service), ANSWER + "I'm done with this one.")
    assert not state.asked[0].follow_ups
    assert state.asked[0].closed
    assert not state.asked[0].skipped
    assert state.asked[0].grades
    assert len(state.asked) == 2


def test_who_says_so_after_a_follow_up_has_answered_and_skipped_nothing(service: InterviewService) -> None:
    session = begun(service)
    assert answered(service, session, ANSWER).asked[0].follow_ups
    state = answered(service, session, "I'm done with this one.", "a2")
    assert state.asked[0].finished
    assert not state.asked[0].skipped
    assert len(state.asked) == 2


def test_what_was_asked_about_the_subject_is_answered_at_the_end(service: InterviewService) -> None:
    session = begun(service, talks=True)
    state = answered(service, session, ANSWER + "By the way, what is a quokka?")
    assert acknowledge(state)["a1"].endswith(templates.ACK_REPLIES["subject"])
    assert [(text, question.id) for text, question in kept_questions(state)] == [("what is a quokka?", "q1")]
    for name in ("s1", "s2", "s3"):
        if service.state(session).current is not None:
            service.skip(session, name, whole=True)
    state = service.advance(session)
    assert state.segment is not None
    assert state.segment.part is SegmentKind.THEIR_QUESTIONS
    said = state.segment.turns[0].model_dump()["said"]
    assert said.startswith("Earlier you asked: “What is a quokka?” A quokka is a small marsupial")


def test_a_question_that_is_kept_is_told_without_hesitations_and_a_view_is_not_asked_of_documents() -> None:
    assert asks_about("By the way, um, what is, what is a quokka?") == "what is a quokka?"
    assert taken_up("what is a quokka?", "a marsupial.") == "Earlier you asked: “What is a quokka?” A marsupial."


def test_whose_view_is_asked_for_is_not_looked_up(service: InterviewService) -> None:
    state = answered(service, begun(service, talks=True), ANSWER + "What would you do?")
    assert kept_questions(state) == ()


def test_one_more_thing_on_the_last_question_is_kept_with_that_question(service: InterviewService) -> None:
    session = begun(service, follow_ups=0)
    answered(service, session, ANSWER)
    state = answered(service, session, "uh one more thing on the last question, beta comes right after it", "a2")
    assert len(state.asked[0].answers) == 2
    assert not state.asked[1].answers


def test_what_an_answer_adds_to_the_last_question_counts_there_too(service: InterviewService) -> None:
    session = begun(service, follow_ups=0)
    answered(service, session, ANSWER)
    said = "gamma is what this one is about, I think. One more thing on the last question: beta comes right after it."
    state = answered(service, session, said, "a2")
    assert [answer.text for answer in state.asked[1].answers] == [said]
    assert state.asked[0].answers[1].text == "One more thing on the last question: beta comes right after it."
    assert state.asked[0].answers[1].meanwhile
    assert [verdict.credit for verdict in state.asked[0].grades[-1].grade.criteria] == [1.0, 1.0]


def test_the_last_question_is_not_put_off_to_come_at_once_again(service: InterviewService) -> None:
    session = begun(service, follow_ups=0)
    answered(service, session, ANSWER)
    state = answered(service, session, "Can we come back to this one later?", "a2")
    assert state.asked[1].turns[-1].model_dump()["said"] == templates.LAST_ONE
    assert not state.asked[1].skipped


def test_what_is_explained_before_a_question_on_the_code_is_kept(tmp_path: Path) -> None:
    explained = (
        "The blocks stand in a plain list, so nothing registers them, " + "and so on with the others of them " * 3
    )
    with coding(tmp_path) as (service, session):
        service.answer(session, f"{explained.strip()}. Should it skip the frozen ones?", "a1")
        told = service.state(session).asked[0]
    # The grade is made meanwhile, and may be there already.
    names = [type(turn).__name__ for turn in told.turns if not isinstance(turn, AnswerGraded)]
    assert names[-2:] == ["ClarificationGiven", "AnswerGiven"]
    assert told.answers[0].text.startswith("The blocks stand")
    assert "frozen" not in told.answers[0].text


def test_who_thinks_aloud_over_the_code_asks_nothing(tmp_path: Path) -> None:
    with coding(tmp_path) as (service, session):
        service.answer(session, "Let me think for a second, it could be two things, memory or the loader.", "a1")
        told = service.state(session).asked[0]
    assert told.answers[0].unfinished
