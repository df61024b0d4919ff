"""What a program proves: the criteria that the hidden tests cover are met once it passes them all. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interviewer.session.events import AnswerGiven, AnswerGraded, CodeRan
from knowledge.bank.proven_criteria import proven_criteria
from knowledge.model import Question
from rubric.coding.result import CodeStatus
from rubric.grading.grader import rescored
from rubric.model import EARNS, CriterionVerdict, Verdict

PROVEN = "Your code shows it: it passes all tests."
"""The reason of such a verdict, which needs no words as evidence."""


def with_code_proof(
    question: Question,
    answers: Sequence[AnswerGiven],
    runs: Iterable[CodeRan],
    grades: Sequence[AnswerGraded],
) -> tuple[AnswerGraded, ...]:
    """The grades of a question, with what its tests proved by then; the last one with all that they proved.

    What the person surely said the opposite of stays contradicted, whatever the code does.

    Args:
        question: with its rubric; grades by another one stay as they are.
        answers: on it, in order.
        runs: of its code, in order.
        grades: in the order of their answers.

    """
    proven = proven_criteria(question)
    passed = next((run.at for run in runs if run.submitted and run.result.status is CodeStatus.PASSED), None)
    if not grades or not proven or passed is None:
        return tuple(grades)
    said = {answer.id: answer.at for answer in answers}
    last = grades[-1].answer_id
    return tuple(
        _proven(question, graded, proven) if graded.answer_id == last or passed <= said[graded.answer_id] else graded
        for graded in grades
    )


def _proven(question: Question, graded: AnswerGraded, proven: frozenset[str]) -> AnswerGraded:
    rubric, grade = question.rubric, graded.grade
    if rubric is None or [verdict.id for verdict in grade.criteria] != [point.id for point in rubric.criteria]:
        return graded
    verdicts = tuple(_met(verdict) if verdict.id in proven else verdict for verdict in grade.criteria)
    if verdicts == grade.criteria:
        return graded
    return graded.model_copy(update={"grade": rescored(grade, rubric, verdicts)})


def _met(judged: CriterionVerdict) -> CriterionVerdict:
    if judged.waived or (judged.sure and judged.verdict in {Verdict.MET, Verdict.CONTRADICTED}):
        return judged
    heard = judged.verdict in {Verdict.MET, Verdict.PARTIAL}
    # Copied, not made anew: what the code shows has no words as evidence.
    return judged.model_copy(
        update={
            "verdict": Verdict.MET,
            "credit": EARNS[Verdict.MET],
            "sure": True,
            "contradicted": 0.0,
            "evidence": judged.evidence if heard else (),
            "reason": PROVEN,
            "doubtful": (),
        }
    )
