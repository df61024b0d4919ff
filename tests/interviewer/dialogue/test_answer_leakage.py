"""Nothing of an answer is said before its question is closed, over the whole bank."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interviewer.dialogue import follow_up_words, utterances
from interviewer.dialogue.answer_leakage import leaked, secrets
from interviewer.dialogue.hints import hint_words
from interviewer.dialogue.interpretation import interpret_turn
from interviewer.session.events import QuestionAsked
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Mode, Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.session.style import Style
from interviewer.speech.pronunciation import spoken
from interviewer.understanding.utterance import Utterance
from knowledge.bank.parser import load_bank
from knowledge.model import Question
from tests.interviewer.builders import at

_QUOTE = "it is somehow about the numbers"
_SAID_BY_THE_PERSON = (
    "I don't know",
    "give me a hint",
    "repeat that",
    "slower please",
    "one moment",
    "hmm",
    "stop",
    "do you mean inference or training?",
    "what is the size of the batch?",
    "what do you mean by the model?",
    "can I assume that the data fits into memory?",
    "which criteria does the reference answer have?",
    "what does a good answer say about the gradient?",
)

BANK = load_bank()


def open_question(question: Question) -> AskedQuestion:
    asked = QuestionAsked(id="q", at=at(0), number=1, question=question, said=question.spoken)
    return AskedQuestion(asked_id="q", number=1, question=question, turns=(asked,))


def everything_said(question: Question) -> Iterator[str]:
    assert question.rubric is not None
    for style in Style:
        yield utterances.ask(question, 2, Plan(style=style), after_skip=True)
    for given in range(4):
        yield hint_words.hint(question, given, 0)
    yield from (each.said for each in question.requirements)
    for criterion in question.rubric.criteria:
        for kind in FollowUpKind:
            for turn, quote in enumerate(("", _QUOTE)):
                yield follow_up_words.follow_up(question, kind, criterion.id, quote=quote, turn=turn, seed=0)
    asked = open_question(question)
    for text in _SAID_BY_THE_PERSON:
        for mode in Mode:
            state = State(plan=Plan(mode=mode), asked=(asked,))
            yield getattr(interpret_turn(state, asked, Utterance(text), "r", at=at(1)), "said", "")
    for last_word in (False, True):
        yield utterances.ask_again(asked, 0, last_word=last_word)


@pytest.mark.parametrize("part", range(4))
def test_nothing_of_an_answer_is_said_while_its_question_is_open(part: int) -> None:
    for question in BANK[part::4]:
        assert question.rubric is not None
        hidden = secrets(question)
        for said in set(everything_said(question)):
            assert not leaked(said, hidden), (question.id, said)


def test_whatever_is_said_can_be_read_out() -> None:
    for question in BANK[::8]:
        for said in set(everything_said(question)):
            assert all(c.isalnum() or c in " .,;:?!'’-“”…" for c in said), said
            assert spoken(said)


def test_the_detector_of_leaks_detects() -> None:
    question = BANK[0]
    assert question.rubric is not None
    hidden = secrets(question)
    assert leaked(question.reference, hidden)
    assert leaked(utterances.show(question.rubric.criteria[0], 0, 0), hidden)
