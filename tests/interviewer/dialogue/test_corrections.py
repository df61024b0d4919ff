"""What puts the answer to a closed question right counts there, and the open question stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.interpretation import reply_in_talk
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.questions import question_finding
from interviewer.report.render.markdown import render_markdown
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.events import AnswerGiven, AsideTaken, CorrectionRaised
from interviewer.session.plan import Confidence, Mode, Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.intent import Intent
from interviewer.understanding.question_references import Place, QuestionReference, find_choice, find_reference
from interviewer.web.views.interview.transcript import transcript_html
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [
    question("q1", text="What is a leaf tensor?"),
    question("q2", topic="training", text="Why does momentum help?"),
    question("q3", topic="loading", text="How many workers should load data?"),
]
PLAN = Plan(question_ids=("q1", "q2", "q3"), follow_ups=0)
EXAM = PLAN.model_copy(update={"mode": Mode.EXAM})
WRONG = "about the first question, I was wrong, it's beta"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as made,
    ):
        yield made


def say(service: InterviewService, session: str, *texts: str, sure: Confidence | None = None) -> State:
    for text in texts:
        state = service.state(session)
        said = sum(len(asked.turns) for asked in state.asked) + len(state.others)
        service.answer(session, text, f"r{said}", sure=sure)
        service.advance(session)
    return service.state(session)


def texts(state: State) -> list[list[str]]:
    return [[answer.text for answer in asked.answers] for asked in state.asked]


@pytest.mark.parametrize(
    ("plan", "reached"),
    [(PLAN, AssistanceLevel.AFTER_ANSWER), (EXAM, AssistanceLevel.UNAIDED)],
    ids=["practice", "exam"],
)
def test_it_is_graded_with_the_question_that_it_names(
    service: InterviewService, plan: Plan, reached: AssistanceLevel
) -> None:
    session = service.start(plan)
    state = say(service, session, "alpha", WRONG)
    assert texts(state) == [["alpha", WRONG], []]
    assert isinstance(next_action(state), Listen)
    assert state.asked[0].closed
    assert state.asked[0].grades[-1].graded_text == f"alpha\n\n{WRONG}"
    assert state.asked[0].grades[-1].grade.score == pytest.approx(1.0)
    found = question_finding(state.asked[0])
    assert {point.id: point.reached for point in found.criteria} == {
        "c-alpha": AssistanceLevel.UNAIDED,
        "c-beta": reached,
    }
    assert [turn.later for turn in found.transcript if turn.marks] == [False, True]
    state = say(service, session, "alpha beta")
    assert texts(state)[1] == ["alpha beta"]


def test_the_reply_says_where_it_went_and_changes_no_words_before(service: InterviewService) -> None:
    session = service.start(PLAN)
    before = acknowledge(say(service, session, "alpha", "beta"))
    state = say(service, session, WRONG)
    after = acknowledge(state)
    assert {name: after[name] for name in before} == before
    said = list(after.values())[-1]
    assert said in {words.format(number="one") for words in templates.MENDED}
    html = transcript_html(state)
    last_question = html[html.index('aria-label="Question 3"') :]
    assert "You, on question 1" in last_question
    assert said in last_question
    assert "You, later" in html[: html.index('aria-label="Question 2"')]
    assert "You, later" in render_markdown(findings(session, state))


def test_what_is_named_by_the_subject_of_the_open_question_is_for_that_one(service: InterviewService) -> None:
    said = "About the momentum before: I said alpha, that was wrong, it is beta."
    state = say(service, service.start(PLAN), "alpha", said)
    assert texts(state)[:2] == [["alpha"], [said]]


def test_without_a_name_the_only_one_answered_is_meant(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", "alpha", "about the question on momentum, I was wrong, it is beta")
    assert texts(state)[1][1:] == ["about the question on momentum, I was wrong, it is beta"]


def test_where_it_is_not_clear_it_is_asked_once(service: InterviewService) -> None:
    session = service.start(PLAN)
    unclear = "about the question on tokenizers, I was wrong, it's beta"
    state = say(service, session, "alpha", "alpha", unclear)
    raised = state.asked[2].turns[-1]
    assert isinstance(raised, CorrectionRaised)
    assert raised.said == templates.WHICH_ONE
    state = say(service, session, "the second one")
    assert texts(state) == [["alpha"], ["alpha", unclear], []]
    state = say(service, session, unclear)
    assert texts(state) == [["alpha"], ["alpha", unclear, unclear], []]


def test_who_answers_the_open_question_instead_is_heard(service: InterviewService) -> None:
    session = service.start(PLAN)
    say(service, session, "alpha", "alpha", "about the question on tokenizers, I was wrong, it's beta")
    assert texts(say(service, session, "alpha, I would say"))[2] == ["alpha, I would say"]


@pytest.mark.parametrize(("reply", "where"), [("the one before", 0), ("this one", 1)])
def test_a_correction_before_anything_was_said_is_asked_about(
    service: InterviewService, reply: str, where: int
) -> None:
    session = service.start(PLAN)
    state = say(service, session, "alpha", "sorry, I meant beta")
    raised = state.asked[1].turns[-1]
    assert isinstance(raised, CorrectionRaised)
    assert raised.said == templates.THIS_ONE_OR_BEFORE
    state = say(service, session, reply)
    assert texts(state)[where][-1] == "sorry, I meant beta"
    given = state.asked[where].answers[-1]
    assert given.choice == reply
    assert bool(given.meanwhile) is (where == 0)


def test_a_correction_of_what_was_said_on_the_open_one_stays_with_it(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"follow_ups": 2}))
    state = say(service, session, "alpha beta", "alpha", "sorry, I meant beta")
    assert texts(state)[:2] == [["alpha beta"], ["alpha", "sorry, I meant beta"]]


def test_who_only_says_that_something_was_wrong_is_asked_what_is_right(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "alpha", "alpha", "I want to change my answer to the first question")
    raised = state.asked[2].turns[-1]
    assert isinstance(raised, CorrectionRaised)
    assert raised.to_id == state.asked[0].asked_id
    state = say(service, session, "it is beta", "and this is alpha")
    assert texts(state) == [["alpha", "it is beta"], ["alpha"], ["and this is alpha"]]


def test_what_was_left_has_nothing_to_be_put_right(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", "alpha", WRONG)
    aside = state.asked[2].turns[-1]
    assert isinstance(aside, AsideTaken)
    assert (aside.intent, aside.said) == (Intent.EARLIER, templates.LEFT_UNANSWERED)


def test_before_any_other_answer_and_when_insisting_it_is_an_answer(service: InterviewService) -> None:
    session = service.start(PLAN)
    assert texts(say(service, session, WRONG, f"answer: {WRONG}")) == [[WRONG], [f"answer: {WRONG}"], []]


def test_at_the_end_it_can_still_be_put_right(service: InterviewService) -> None:
    session = service.start(EXAM.model_copy(update={"question_ids": ("q1",), "talks": True}))
    state = say(service, session, "I train models.", "alpha", "about question one, I was wrong, it is beta")
    assert state.segment is not None
    assert isinstance(next_action(state), Listen)
    assert state.asked[0].grades[-1].grade.score == pytest.approx(1.0)
    assert "You, on question 1" in transcript_html(state)


@pytest.mark.parametrize(
    "asks",
    [
        "Could I still give you the deep dive? I'd only asked which side you wanted, I hadn't started.",
        "Actually, could we go back to the design? I'd only asked what you meant.",
    ],
)
def test_who_had_more_to_say_at_the_end_is_told_how_it_still_counts(service: InterviewService, asks: str) -> None:
    session = service.start(EXAM.model_copy(update={"question_ids": ("q1",), "talks": True}))
    state = say(service, session, "I train models.", "alpha")
    assert state.segment is not None
    assert reply_in_talk(state, asks) == templates.HOW_TO_ADD
    example = f"{templates.HOW_TO_ADD.rsplit(': ', 1)[1].capitalize()}"
    assert say(service, session, example).asked[0].answers[-1].text == example


def test_a_second_request_changes_nothing_and_how_sure_they_are_is_kept_with_it(service: InterviewService) -> None:
    session = service.start(EXAM)
    say(service, session, "alpha")
    state = service.answer(session, WRONG, "again", sure=Confidence.SURE)
    service.advance(session)
    assert service.answer(session, WRONG, "again") == service.state(session)
    assert [stated.answer_id for stated in state.asked[0].stated] == ["again"]
    assert isinstance(state.asked[0].answers[-1], AnswerGiven)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("the second question", QuestionReference(place=Place.NUMBER, number=2)),
        ("question 12", QuestionReference(place=Place.NUMBER, number=12)),
        ("number three", QuestionReference(place=Place.NUMBER, number=3)),
        ("the previous one", QuestionReference(place=Place.PREVIOUS)),
        ("the one I skipped", QuestionReference(place=Place.LEFT)),
        ("the first one that I skipped", QuestionReference(place=Place.LEFT, number=1)),
        ("the question about momentum", QuestionReference(place=Place.SUBJECT)),
        ("this question", QuestionReference(place=Place.PRESENT)),
        ("the mean", None),
    ],
)
def test_other_questions_are_named(words: str, meant: QuestionReference | None) -> None:
    assert find_reference(words) == meant


@pytest.mark.parametrize(("words", "number"), [("two", 2), ("The third, please.", 3), ("it was number 1", 1)])
def test_a_bare_number_chooses(words: str, number: int) -> None:
    assert find_choice(words) == QuestionReference(place=Place.NUMBER, number=number)
