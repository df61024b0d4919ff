"""Who asks for a hint gets one; who may have asked for something else is offered it, and is charged for nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.hints.offered_hints import pleads
from interviewer.dialogue.interpretation import interpret_parts
from interviewer.session.events import AnswerGiven, AsideTaken, HintGiven, InterviewStarted, QuestionAsked
from interviewer.session.plan import Mode, Plan
from interviewer.session.reducer import fold
from interviewer.understanding.closing_request import Closing
from interviewer.understanding.intent import Intent
from interviewer.understanding.utterance import Utterance
from tests.interviewer.builders import question

AT = datetime(2026, 1, 1, tzinfo=UTC)
PRACTICE = Plan(question_ids=("q1",))
NO_PLEA = "I can't tell what breaks typically, could you ask me about that?"


class Head:
    """Takes what it is given for a wish for help."""

    def request(self, text):
        return Intent.HINT if text == NO_PLEA else None

    def beside(self, sentence):
        return Closing.HELP if sentence == NO_PLEA else None

    def whole(self, text):
        return None


@pytest.mark.parametrize(
    "words",
    [
        "Could I have a hint?",
        "Can you nudge me in the right direction?",
        "I have no idea where to start.",
        "I give up, how's it done?",
        "Throw me a bone here, will you?",
    ],
)
def test_a_plea_is_a_plea(words):
    assert pleads(words)


@pytest.mark.parametrize("words", [NO_PLEA, "Can I just say it, I can't type here?", "Which of them do you mean?"])
def test_no_other_question_is_one(words):
    assert not pleads(words)


def told(*said, plan=PRACTICE):
    """What comes of things said one after the other on one question."""
    asked = question("q1", text="What is a leaf tensor?", keywords=("alpha", "beta"))
    journal = [
        InterviewStarted(id="start", at=AT, plan=plan),
        QuestionAsked(id="q", at=AT, number=1, question=asked, said="?"),
    ]
    events = ()
    for count, words in enumerate(said):
        state, at = fold(journal), AT + timedelta(seconds=count)
        events = interpret_parts(state, state.asked[0], Utterance(words, Head()), f"said-{count}", at=at)
        journal += events
    return events


def test_who_may_have_asked_for_something_else_is_offered_a_hint():
    (event,) = told(NO_PLEA)
    assert isinstance(event, AsideTaken)
    assert event.said == templates.A_HINT_IF_WANTED


@pytest.mark.parametrize("yes", ["yes", "Yes, please.", "sure"])
def test_a_yes_to_the_offer_brings_the_hint(yes):
    (event,) = told(NO_PLEA, yes)
    assert isinstance(event, HintGiven)
    assert event.words == yes


def test_an_answer_after_the_offer_is_an_answer():
    (event,) = told(NO_PLEA, "It is a tensor that the user made, with a grad that is kept.")
    assert isinstance(event, AnswerGiven)


def test_an_answer_that_ends_so_is_kept_and_goes_on():
    answer, event = told(f"A leaf is a tensor that I made myself, its grad is kept after backward. {NO_PLEA}")
    assert isinstance(answer, AnswerGiven)
    assert answer.unfinished
    assert isinstance(event, AsideTaken)


def test_a_plea_brings_the_hint_at_once():
    (event,) = told("Could I have a hint?")
    assert isinstance(event, HintGiven)


def test_in_an_exam_nothing_is_offered():
    (event,) = told(NO_PLEA, plan=PRACTICE.model_copy(update={"mode": Mode.EXAM}))
    assert isinstance(event, AsideTaken)
    assert event.said == templates.NO_HINTS
