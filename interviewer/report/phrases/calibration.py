"""Sentences on how sure a person said that they were, the same in every format of the report. Pure."""

from __future__ import annotations

from interviewer.report.schema.delivery import ConfidenceLevel, OwnConfidence
from interviewer.session.plan import Confidence
from interviewer.text import count, percent

CONFIDENCE = "How sure you were, beside what you earned"
NAMES = {
    Confidence.GUESS: "guessing",
    Confidence.RATHER_UNSURE: "rather unsure",
    Confidence.RATHER_SURE: "rather sure",
    Confidence.SURE: "sure",
}
"""What each level is called in the report."""
HOW_CONFIDENT = (
    "You said how sure you were before you could know a mark. Being sure is taken as expecting 95 of 100, rather sure "
    "as 75, rather unsure as 50, a guess as 25. A reply to a follow-up on one point earned that point’s credit, any "
    "other answer the score of all you had said on the question by then. It changes no score."
)


def sentence(found: OwnConfidence) -> str:
    """The level that tells most about the person, in one sentence: many answers, far from what was expected."""
    told = max(found.levels, key=lambda level: level.answers * abs(level.stated - level.earned))
    many = count(told.answers, "answer")
    they = "it" if told.answers == 1 else "they"
    said = f"You were {_said(told)} {many}; {they} earned {percent(told.earned)} of 100"
    return f"{said}{' on average' if told.answers > 1 else ''}."


def _said(level: ConfidenceLevel) -> str:
    return "guessing in" if level.level is Confidence.GUESS else f"{NAMES[level.level]} of"
