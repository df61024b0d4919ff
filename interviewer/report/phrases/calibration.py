"""Sentences on how sure a person said that they were, the same in every format of the report. Pure."""

from __future__ import annotations

from interviewer.report.schema.delivery import OwnConfidence
from interviewer.session.plan import Confidence
from interviewer.text import count, percent

CONFIDENCE = "How sure you were, and how well you did"
NAMES = {
    Confidence.GUESS: "guessing",
    Confidence.RATHER_UNSURE: "not very sure",
    Confidence.RATHER_SURE: "fairly sure",
    Confidence.SURE: "sure",
}
"""What each level is called in the report."""
HOW_CONFIDENT = (
    "You rated your answers before you saw a mark. “Sure” counts as expecting 95 of 100, “fairly sure” 75, “not very "
    "sure” 50, and a guess 25. A reply to a follow-up on one point is compared with that point’s credit; any other "
    "answer, with the score of everything you had said by then. This does not change any score."
)


def sentence(found: OwnConfidence) -> str:
    """The level that tells most about the person, in one sentence: many answers, far from what was expected.

    One answer tells nothing about a level, so that all answers are told of instead.
    """
    told = max(found.levels, key=lambda level: level.answers * abs(level.stated - level.earned))
    if told.answers == 1:
        return (
            f"For {count(len(found.answers), 'answer')}, you expected {percent(found.stated)} of 100 on average and "
            f"earned {percent(found.earned)}."
        )
    many = count(told.answers, "answer")
    said = f"called {many} guesses" if told.level is Confidence.GUESS else f"were {NAMES[told.level]} of {many}"
    return f"You {said}; they earned {percent(told.earned)} of 100 on average."
