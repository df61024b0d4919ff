"""How sure a person says that they are of an answer: what it amounts to, and until when it can be said. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from interviewer.session.events import AnswerGiven
from interviewer.session.plan import Confidence, Mode
from interviewer.session.state import AskedQuestion, State
from serving.errors import BadInputError

STATED: Mapping[Confidence, float] = {
    Confidence.GUESS: 0.25,
    Confidence.RATHER_UNSURE: 0.5,
    Confidence.RATHER_SURE: 0.75,
    Confidence.SURE: 0.95,
}
"""The share of an answer that somebody who says so expects to have right; the least sure first."""


def unmarked(state: State) -> AnswerGiven | None:
    """The latest answer of an interview, where the person cannot know its marks yet."""
    given = [(answer, asked) for asked in state.asked for answer in asked.answers]
    if not given:
        return None
    answer, asked = max(given, key=lambda each: each[0].at)
    return None if _told(state, asked, answer) else answer


def check_stating(state: State, answer_id: str) -> AnswerGiven:
    """The answer that the person says to be sure of or not.

    Raises:
        BadInputError: there is no such answer, or its marks are known, so that whoever reads them would be right.

    """
    for asked in state.asked:
        for answer in asked.answers:
            if answer.id == answer_id:
                if _told(state, asked, answer):
                    raise BadInputError(
                        "This answer has its marks already; say how sure you are when you send an answer."
                    )
                return answer
    raise BadInputError(f"There is no answer {answer_id} in this interview.")


def _told(state: State, asked: AskedQuestion, answer: AnswerGiven) -> bool:
    """Whether the person may know the marks: in an exam at its end, else once they are made."""
    if state.ended is not None:
        return True
    if state.plan is not None and state.plan.mode is Mode.EXAM:
        return False
    return any(grade.answer_id == answer.id for grade in asked.grades)
