"""Each question of the bank in other words: there for each, told apart from the first, and no help with the answer."""

from __future__ import annotations

import pytest

from interviewer.dialogue.answer_leakage import secrets
from interviewer.speech.speakable_text import speakable
from knowledge.bank.parser import load_bank
from knowledge.bank.rewordings import FOLLOW_ON, reworded, rewordings
from knowledge.model import Question

BANK = [question for question in load_bank() if question.rubric is not None]
LONGEST = 45


def asked(question: Question) -> dict[str, str]:
    """What is asked on a question, by the id of the point; the question itself under an empty one."""
    points = question.rubric.criteria if question.rubric else ()
    further = {FOLLOW_ON: question.follow_on} if question.follow_on else {}
    return {"": question.spoken} | {point.id: point.probe for point in points if point.probe} | further


@pytest.mark.parametrize("question", BANK, ids=lambda question: question.id)
def test_every_question_and_probe_has_other_words(question: Question) -> None:
    ours, own = asked(question), secrets(question)
    assert set(rewordings()[question.id]) == set(ours)
    for point, first in ours.items():
        other = reworded(question, point)
        assert other != first
        assert 5 < len(other.split()) <= LONGEST
        assert not own.in_text(speakable(other)) - own.in_text(speakable(first)), (question.id, point)


def test_no_question_is_named_that_is_gone() -> None:
    assert set(rewordings()) == {question.id for question in BANK}


def test_a_question_of_a_document_has_none() -> None:
    assert not reworded(BANK[0].model_copy(update={"rubric": None}))
