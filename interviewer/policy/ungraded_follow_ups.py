"""Which follow-up comes while the mark of the last answer is still to come, chosen by what was said. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from interviewer.policy.answer_stages import ORDER, stage_of, told_on
from interviewer.policy.follow_ups import FollowUp, says_it
from interviewer.session.estimate_check import read_in
from interviewer.session.events import NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.model import Question
from rubric.estimates import EstimateState
from rubric.model import Criterion, CriterionVerdict, Grade, Verdict

NEAR_WITHOUT_MARK = 0.55
"""Likeness of an answer's words to a point from which it is not asked for while the mark is still to come.

In interviews that were labeled, of the points chosen below it 9 % had been made in full and 8 % in part; below .6, the
heaviest first, 19 % and 12 % (docs/benchmarks/conversation.md).
"""


def follow_up_before_the_mark(
    question: Question,
    earlier: Grade | None,
    *,
    nearest: Sequence[NearestWords],
    text: str,
    drilled: Collection[str],
    left: int,
    deeper: bool = False,
) -> FollowUp | None:
    """The point to ask about next, or ``None`` where there is nothing left to ask.

    A point that nothing said comes near to is asked about first: the one that the answer is farthest from, in a design
    or a story the next stage. Where something comes near to all of them, the question is taken further where it goes
    further, and else the person's own words are taken up on the point that they come least near to: nobody is asked for
    what they may have said. What was surely met by an earlier mark is left alone, and so is an estimate whose number
    was said.

    Args:
        question: with its rubric; without one there is nothing to ask about.
        earlier: the mark of what was said before the last answer, if there is one.
        nearest: of each criterion the nearest words of all that was said.
        text: all that was said.
        drilled: ids of the criteria that were drilled already.
        left: how many follow-ups the question may still get.
        deeper: whether the question may be taken further.

    """
    if question.rubric is None or left <= 0:
        return None
    settled = {verdict.id for verdict in earlier.criteria if _is_settled(verdict)} if earlier else set()
    likeness = {each.criterion_id: each.likeness for each in nearest}

    def said(point: Criterion) -> bool:
        return likeness.get(point.id, 0.0) >= NEAR_WITHOUT_MARK or bool(told_on(question.kind, point, text))

    def reckoned(point: Criterion) -> bool:
        return read_in(point, text, question.text).state is EstimateState.AGREES

    waiting = [
        point
        for point in question.rubric.criteria
        if point.id not in settled and point.id not in drilled and not reckoned(point)
    ]

    def order(point: Criterion) -> tuple[float, ...]:
        stage = stage_of(question.kind, point)
        return (ORDER[stage] if stage else 0, likeness.get(point.id, 0.0), -point.weight)

    unsaid = sorted((point for point in waiting if point.probe and not said(point)), key=order)
    if unsaid:
        return FollowUp(FollowUpKind.UNGRADED, unsaid[0].id)
    points = question.rubric.criteria
    if deeper and question.follow_on and all(each.id in settled or said(each) or reckoned(each) for each in points):
        # Filed under the point that was most likely made, so that it keeps nothing else from being asked.
        made = max(points, key=lambda point: likeness.get(point.id, 0.0))
        return FollowUp(FollowUpKind.DEPTH, made.id)
    half_said = [point for point in waiting if said(point) and not says_it(nearest, point.id)]
    taken_up = min(half_said, key=lambda point: (likeness.get(point.id, 0.0), -point.weight), default=None)
    return FollowUp(FollowUpKind.UNSURE, taken_up.id) if taken_up else None


def _is_settled(verdict: CriterionVerdict) -> bool:
    return verdict.waived or (verdict.verdict is Verdict.MET and verdict.sure)
