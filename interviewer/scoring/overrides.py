"""Marks that a mentor or teacher put in the place of the judge's. Pure; the judge's own stay in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from interviewer.scoring.self_assessment import final_grade
from interviewer.session.events import AnswerGraded, MarkOverridden, OwnVerdict
from interviewer.session.state import AskedQuestion, State
from rubric.grading.grader import rescored
from rubric.model import EARNS, CriterionVerdict, Rubric, Verdict
from serving.errors import BadInputError

VERDICTS: Mapping[str, OwnVerdict] = {
    "met": Verdict.MET,
    "partial": Verdict.PARTIAL,
    "missing": Verdict.MISSING,
    "contradicted": Verdict.CONTRADICTED,
}
"""What a mark can be overridden with, by its name."""


def with_overrides(asked: AskedQuestion) -> AskedQuestion:
    """The question with the overriding verdicts in the grade of all that was said; the same where there are none.

    An overriding verdict is sure and earns what a certain verdict earns. It keeps the evidence that the judge had
    selected, if any, since nobody selected other words.
    """
    graded, rubric = final_grade(asked), asked.question.rubric
    if not asked.overrides or graded is None or rubric is None:
        return asked
    return asked.model_copy(update={"grades": (*asked.grades[:-1], _overridden(asked, graded, rubric))})


def override(
    state: State, asked: str, criterion_id: str, verdict: str, *, by: str, note: str = "", event_id: str, at: datetime
) -> MarkOverridden:
    """The event that overrides a mark.

    Args:
        state: the interview.
        asked: the id of the asking, or the question's number in the interview.
        criterion_id: the criterion's id, or its number in the rubric, from 1.
        verdict: one of ``VERDICTS``.
        by: who overrides it.
        note: why; may be empty.
        event_id: unique within the interview.
        at: when.

    Raises:
        BadInputError: there is no such mark, or it cannot be overridden yet, and why.

    """
    if verdict not in VERDICTS:
        raise BadInputError(f"A mark cannot be {verdict}.", hint=f"Choose among: {', '.join(VERDICTS)}.")
    by, note = by.strip(), note.strip()
    if not by or len(by) > 200 or len(note) > 2_000:
        raise BadInputError("A name has 1 to 200 characters and a note at most 2,000.")
    question, criterion_id = marked(state, asked, criterion_id)
    return MarkOverridden(
        id=event_id,
        at=at,
        asked_id=question.asked_id,
        criterion_id=criterion_id,
        verdict=VERDICTS[verdict],
        by=by,
        note=note,
    )


def marked(state: State, asked: str, criterion_id: str) -> tuple[AskedQuestion, str]:
    """The question and the id of the criterion whose mark is meant.

    Args:
        state: the interview.
        asked: the id of the asking, or the question's number in the interview.
        criterion_id: the criterion's id, or its number in the rubric, from 1.

    Raises:
        BadInputError: there is no such mark, or not yet, and why.

    """
    question = _question(state, asked)
    graded = final_grade(question)
    if graded is None:
        raise BadInputError(
            f"Not all that was said on question {question.number} is graded, so it has no mark yet.",
            hint="Try again once it is graded.",
        )
    ids = [found.id for found in graded.grade.criteria]
    if criterion_id not in ids and criterion_id.isdecimal() and 1 <= int(criterion_id) <= len(ids):
        criterion_id = ids[int(criterion_id) - 1]
    if criterion_id not in ids:
        raise BadInputError(
            f"Question {question.number} has no point {criterion_id}.", hint=f"Its points are: {', '.join(ids)}."
        )
    return question, criterion_id


def _question(state: State, asked: str) -> AskedQuestion:
    for question in state.asked:
        if asked in {question.asked_id, str(question.number)}:
            return question
    raise BadInputError(
        f"No question {asked} was asked in this interview.",
        hint=f"Its questions have the numbers 1 to {len(state.asked)}." if state.asked else "It has no questions.",
    )


def _overridden(asked: AskedQuestion, graded: AnswerGraded, rubric: Rubric) -> AnswerGraded:
    given = {event.criterion_id: event.verdict for event in asked.overrides}
    verdicts = tuple(
        _verdict(found, given[found.id]) if found.id in given else found for found in graded.grade.criteria
    )
    return graded.model_copy(update={"grade": rescored(graded.grade, rubric, verdicts)})


def _verdict(judged: CriterionVerdict, given: OwnVerdict) -> CriterionVerdict:
    # Copied, not made anew: a person may give credit where the judge had selected no words as evidence.
    return judged.model_copy(
        update={
            "verdict": given,
            "credit": EARNS[given],
            "sure": True,
            "contradicted": 1.0 if given is Verdict.CONTRADICTED else 0.0,
            "evidence": () if given is Verdict.MISSING else judged.evidence,
            "reason": "",
            "waived": False,
        }
    )
