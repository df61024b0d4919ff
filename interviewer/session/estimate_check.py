"""What the arithmetic says of a design's estimates, beside the judge. Pure.

A number that agrees meets its criterion. One that differs leaves half of the credit, unsurely: the way may be right, or
the number may stand for something else. Where none can be read, nothing is sure.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.session.events import AnswerGraded
from knowledge.model import Question
from rubric.estimates import EstimateReading, EstimateState, reading
from rubric.grading.grader import rescored
from rubric.model import EARNS, Criterion, CriterionVerdict, Rubric, Verdict


def with_estimates(question: Question, grades: Sequence[AnswerGraded]) -> tuple[AnswerGraded, ...]:
    """The grades of a question, with what its estimates come to by then.

    Args:
        question: with its rubric; grades by another one stay as they are.
        grades: in the order of their answers.

    """
    rubric = question.rubric
    if rubric is None or all(point.estimate is None for point in rubric.criteria):
        return tuple(grades)
    return tuple(_with_checked(question, rubric, graded) for graded in grades)


def _with_checked(question: Question, rubric: Rubric, graded: AnswerGraded) -> AnswerGraded:
    grade = graded.grade
    if [verdict.id for verdict in grade.criteria] != [point.id for point in rubric.criteria]:
        return graded
    verdicts = tuple(
        _checked(point, verdict, graded.graded_text, question.text)
        for point, verdict in zip(rubric.criteria, grade.criteria, strict=True)
    )
    if verdicts == grade.criteria:
        return graded
    return graded.model_copy(update={"grade": rescored(grade, rubric, verdicts)})


def read_in(criterion: Criterion, text: str, given: str) -> EstimateReading:
    """What an answer says on a criterion's estimate; nothing could be read where it has none.

    Args:
        criterion: a point of a design.
        text: all that was said.
        given: text of the question.

    """
    if criterion.estimate is None:
        return EstimateReading(EstimateState.NOT_READ)
    return reading(criterion.estimate, text, given)


def _checked(criterion: Criterion, judged: CriterionVerdict, text: str, given: str) -> CriterionVerdict:
    if criterion.estimate is None or judged.waived or judged.verdict is Verdict.UNSCORED:
        return judged
    found = read_in(criterion, text, given)
    if found.state is EstimateState.NOT_READ or found.span is None:
        wanting = judged.verdict in {Verdict.MISSING, Verdict.CONTRADICTED}
        return judged.model_copy(update={"sure": False}) if wanting else judged
    agrees = found.state is EstimateState.AGREES
    verdict = Verdict.MET if agrees else Verdict.PARTIAL
    if judged.verdict is Verdict.MET and agrees and judged.sure:
        return judged
    return judged.model_copy(
        update={
            "verdict": verdict,
            "credit": EARNS[verdict],
            "sure": agrees,
            "contradicted": 0.0,
            "evidence": (found.span,),
            "doubtful": (),
        }
    )
