"""What was earned stays earned: the marks of a question, added up over its turns. Pure.

Each grade covers everything said up to its answer. Judged anew with more text, a point that was met may come out
lower, though nobody took anything back; most of all when the interviewer went on to something harder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interviewer.session.events import AnswerGiven, AnswerGraded, FollowUpAsked
from interviewer.session.follow_up_kinds import FollowUpKind
from rubric.grading.grader import rescored
from rubric.model import CriterionVerdict, Grade, Rubric, Verdict

_EARNED = frozenset({Verdict.MET, Verdict.PARTIAL})


def accumulated(
    rubric: Rubric | None,
    answers: Sequence[AnswerGiven],
    follow_ups: Sequence[FollowUpAsked],
    grades: Sequence[AnswerGraded],
) -> tuple[AnswerGraded, ...]:
    """The grades, none giving a criterion less than an earlier one gave it.

    One case is left out: where the judge was unsure of a point and it was asked about once more, the later verdict
    counts, since that was what the question was for. What was contradicted is no credit and is never kept.

    Args:
        rubric: of the question; grades by another one stay as they are.
        answers: on the question, in order.
        follow_ups: on the question.
        grades: in the order of their answers.

    """
    if rubric is None:
        return tuple(grades)
    doubted = _doubted(answers, follow_ups)
    kept: list[AnswerGraded] = []
    for graded in grades:
        before = kept[-1] if kept else None
        if before is None or not graded.graded_text.startswith(before.graded_text):
            kept.append(graded)
            continue
        grade = no_less(rubric, before.grade, graded.grade, again=doubted.get(graded.answer_id, ""))
        kept.append(graded if grade is graded.grade else graded.model_copy(update={"grade": grade}))
    return tuple(kept)


def no_less(rubric: Rubric, before: Grade, now: Grade, *, again: str = "") -> Grade:
    """The later of two grades, with what the earlier one gave.

    Args:
        rubric: both are by it.
        before: of the beginning of what ``now`` grades, so that its evidence stands at the same places.
        now: the later one.
        again: id of the criterion on which the later one alone counts; may be empty.

    """
    ids = [criterion.id for criterion in rubric.criteria]
    if any([verdict.id for verdict in grade.criteria] != ids for grade in (before, now)):
        return now
    pairs = zip(before.criteria, now.criteria, strict=True)
    verdicts = tuple(new if new.id == again else _better(old, new) for old, new in pairs)
    if verdicts == now.criteria:
        return now
    return rescored(now, rubric, verdicts)


def _better(old: CriterionVerdict, new: CriterionVerdict) -> CriterionVerdict:
    if old.verdict not in _EARNED or old.credit is None:
        return new
    if new.credit is None:
        # What is met already cannot get better; what was partly met might have, and nobody knows.
        return old if old.verdict is Verdict.MET else new
    return old if new.verdict not in _EARNED or old.credit > new.credit else new


def _doubted(answers: Sequence[AnswerGiven], follow_ups: Sequence[FollowUpAsked]) -> Mapping[str, str]:
    """By answer id, the criterion that was asked about because the judge was unsure of it."""
    unsure = {asked.id: asked.criterion_id for asked in follow_ups if asked.kind is FollowUpKind.UNSURE}
    return {answer.id: unsure[answer.follow_up_id] for answer in answers if answer.follow_up_id in unsure}
