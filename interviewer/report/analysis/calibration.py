"""How sure a person said that they were of their answers, beside what these earned. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from interviewer.report.schema.delivery import ConfidenceLevel, OwnConfidence, StatedConfidence
from interviewer.scoring.overrides import with_overrides
from interviewer.scoring.stated_confidence import STATED
from interviewer.scoring.unasked_points import without_unasked
from interviewer.session.events import AnswerGiven, ConfidenceStated
from interviewer.session.queries import point_asked_for
from interviewer.session.state import AskedQuestion

FEWEST = 3
"""Answers below which nothing is said: one lucky guess would be the whole picture."""


def confidence(asked: Sequence[AskedQuestion]) -> OwnConfidence | None:
    """What was stated beside what was earned; ``None`` where fewer than three such answers have a mark."""
    answers = tuple(found for question in asked for found in _answers(with_overrides(question)))
    if len(answers) < FEWEST:
        return None
    levels = (
        (level, stated, [found.earned for found in answers if found.level is level]) for level, stated in STATED.items()
    )
    return OwnConfidence(
        answers=answers,
        levels=tuple(
            ConfidenceLevel(level=level, stated=stated, answers=len(earned), earned=fmean(earned))
            for level, stated, earned in levels
            if earned
        ),
        stated=fmean(STATED[found.level] for found in answers),
        earned=fmean(found.earned for found in answers),
    )


def _answers(asked: AskedQuestion) -> Iterator[StatedConfidence]:
    given = {answer.id: answer for answer in asked.answers}
    for stated in asked.stated:
        earned = _earned(asked, given[stated.answer_id])
        if earned is not None:
            yield _found(asked, stated, earned)


def _found(asked: AskedQuestion, stated: ConfidenceStated, earned: float) -> StatedConfidence:
    return StatedConfidence(
        number=asked.number, answer_id=stated.answer_id, event_id=stated.id, level=stated.level, earned=earned
    )


def _earned(asked: AskedQuestion, answer: AnswerGiven) -> float | None:
    """What an answer earned: of a reply to a follow-up on one point that point's credit; ``None`` without a mark."""
    graded = next((grade.grade for grade in asked.grades if grade.answer_id == answer.id), None)
    if graded is None:
        return None
    drilled = point_asked_for(asked, answer)
    point = next((verdict for verdict in graded.criteria if verdict.id == drilled), None)
    return without_unasked(asked, graded).score if point is None else point.credit
