"""Which follow-up comes next, and when to stop. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from interviewer.events import FollowUpKind
from knowledge.model import Question
from rubric.model import Criterion, CriterionVerdict, Grade, Verdict

_RANK = {kind: rank for rank, kind in enumerate(FollowUpKind)}

# A quotation longer than this is no longer a reminder but a recital.
_QUOTED_WORDS = 12
_SPEAKABLE = frozenset(" ,'’-")


class Drill(NamedTuple):
    """A point worth another question."""

    kind: FollowUpKind
    criterion_id: str


def next_drill(question: Question, grade: Grade | None, *, drilled: Collection[str], left: int) -> Drill | None:
    """The point to drill next, or ``None`` when there is nothing left to ask.

    What was contradicted comes first, then what is missing, then what is partly there, then what is met but
    unsure, then what could not be scored; among equals the heaviest, the surest, the first in the rubric.

    Args:
        question: with its rubric; without one there is nothing to drill.
        grade: the mark of all that was said so far; ``None`` when it could not be graded, then the heaviest
            point that has a probe of its own is tried.
        drilled: ids of the criteria that were drilled already; none is drilled twice.
        left: how many follow-ups the question may still get.

    """
    if question.rubric is None or left <= 0:
        return None
    open_points = [
        (kind, verdict, criterion)
        for criterion in question.rubric.criteria
        if criterion.id not in drilled
        for verdict in [_verdict(grade, criterion.id)]
        for kind in [_kind(verdict)]
        if kind is not None
    ]
    if not open_points:
        return None

    def urgency(point: tuple[FollowUpKind, CriterionVerdict | None, Criterion]) -> tuple[float, ...]:
        kind, verdict, criterion = point
        unprobed = kind is FollowUpKind.UNGRADED and not criterion.probe
        return (_RANK[kind], unprobed, -criterion.weight, verdict is not None and not verdict.sure)

    kind, _, criterion = min(open_points, key=urgency)
    return Drill(kind, criterion.id)


def quotation(grade: Grade | None, criterion_id: str, said: str) -> str:
    """A few of the person's own words on that criterion, fit to be said aloud; empty where there are none.

    Args:
        grade: the mark whose evidence is quoted.
        criterion_id: the criterion whose evidence is quoted.
        said: the text that the evidence's offsets count in.

    """
    verdict = _verdict(grade, criterion_id)
    if verdict is None or not verdict.evidence:
        return ""
    start, end = verdict.evidence[0]
    words = said[start:end].split()
    quote = " ".join(words[:_QUOTED_WORDS]).strip(" ,.;:!?-\"'")
    if not all(character.isalnum() or character in _SPEAKABLE for character in quote):
        return ""
    return quote


def _verdict(grade: Grade | None, criterion_id: str) -> CriterionVerdict | None:
    if grade is None:
        return None
    return next((verdict for verdict in grade.criteria if verdict.id == criterion_id), None)


def _kind(verdict: CriterionVerdict | None) -> FollowUpKind | None:
    if verdict is not None and verdict.waived:
        return None
    if verdict is None or verdict.verdict is Verdict.UNSCORED:
        return FollowUpKind.UNGRADED
    if verdict.verdict is Verdict.MET:
        return None if verdict.sure else FollowUpKind.UNSURE
    return {
        Verdict.CONTRADICTED: FollowUpKind.CONTRADICTION,
        Verdict.MISSING: FollowUpKind.MISSING,
        Verdict.PARTIAL: FollowUpKind.PARTIAL,
    }[verdict.verdict]
