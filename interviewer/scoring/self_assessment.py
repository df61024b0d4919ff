"""What the judge left open, and what the person made of it beside the reference. Pure.

A self-assessed verdict never touches the judge's marks. It is kept with what the judge had said, as a labeled
sample on which the judge can be fitted or recalibrated later.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from interviewer.scoring.unasked_points import unasked
from interviewer.session.events import AnswerGraded, Event, OwnVerdict
from interviewer.session.queries import asked_by_id
from interviewer.session.reducer import fold
from interviewer.session.state import AskedQuestion, State
from rubric.model import EARNS, Criterion, CriterionVerdict, Engine
from serving.errors import BadInputError
from serving.frozen import FrozenModel


class SelfAssessed(FrozenModel):
    """One criterion of one answer as the person judged it.

    Attributes:
        question_id: the question's id.
        question: as it was shown.
        criterion: as it was when the question was asked.
        answer: all that was graded.
        verdict: the person's own.
        judged: what the judge had said, with its probabilities.
        engine: which judge.

    """

    question_id: str
    question: str
    criterion: Criterion
    answer: str
    verdict: OwnVerdict
    judged: CriterionVerdict
    engine: Engine


def final_grade(asked: AskedQuestion) -> AnswerGraded | None:
    """The grade of all that was said on the question; ``None`` while the last answer has none."""
    if asked.answers and asked.grades and asked.grades[-1].answer_id == asked.answers[-1].id:
        return asked.grades[-1]
    return None


def left_open(asked: AskedQuestion) -> tuple[CriterionVerdict, ...]:
    """The verdicts on a question that the judge was unsure of or could not give, or that the person disputes.

    They come in the rubric's order. None while something that was said is ungraded: the mark that is still to come
    may be sure. Waived criteria are no part of the score and are not among them.
    """
    graded = final_grade(asked)
    verdicts = graded.grade.criteria if graded else ()
    disputed = {dispute.criterion_id for dispute in asked.disputes}
    return tuple(verdict for verdict in verdicts if not verdict.waived and (not verdict.sure or verdict.id in disputed))


def own_verdicts(asked: AskedQuestion) -> dict[str, OwnVerdict]:
    """The person's own verdicts by criterion id, on what the judge left open."""
    open_ids = {verdict.id for verdict in left_open(asked)}
    return {event.criterion_id: event.verdict for event in asked.self_assessed if event.criterion_id in open_ids}


def score_with_own(asked: AskedQuestion) -> float | None:
    """The question's score with the self-assessed verdicts in the place of the judge's.

    Returns:
        The weighted mean of the credits, 0 to 1; ``None`` where nothing was self-assessed, or where a criterion
        that counts is still unscored.

    """
    own = own_verdicts(asked)
    graded, rubric = final_grade(asked), asked.question.rubric
    if not own or graded is None or rubric is None:
        return None
    weights = {criterion.id: criterion.weight for criterion in rubric.criteria}
    left_out = unasked(asked, graded.grade) - own.keys()
    counted = [
        verdict
        for verdict in graded.grade.criteria
        if not verdict.waived and verdict.id in weights and verdict.id not in left_out
    ]
    known = [
        (credit, weights[verdict.id])
        for verdict in counted
        if (credit := EARNS[own[verdict.id]] if verdict.id in own else verdict.credit) is not None
    ]
    if len(known) < len(counted):
        return None
    return min(sum(credit * weight for credit, weight in known) / sum(weight for _, weight in known), 1.0)


def check_settling(state: State, asked_id: str, criterion_id: str, verdict: str) -> None:
    """Check that the person may settle this criterion now.

    Raises:
        BadInputError: no, and why.

    """
    if verdict not in EARNS:
        raise BadInputError(f"An answer cannot be {verdict}.", hint=f"Choose among: {', '.join(EARNS)}.")
    try:
        asked = asked_by_id(state, asked_id)
    except KeyError:
        raise BadInputError(f"No question {asked_id} was asked in this interview.") from None
    if not asked.closed and state.ended is None:
        raise BadInputError("This question is still open.", hint="Settle its points once it is done.")
    graded = final_grade(asked)
    if graded is None:
        raise BadInputError("Not all you said on this question is graded.", hint="Settle its points once it is.")
    if all(found.id != criterion_id for found in graded.grade.criteria):
        raise BadInputError(f"The question has no point {criterion_id}.")
    if all(found.id != criterion_id for found in left_open(asked)):
        raise BadInputError(
            "This point is settled: the judge was sure of it, or it does not count.", hint="You can dispute the mark."
        )


def self_assessed(events: Iterable[Event]) -> tuple[SelfAssessed, ...]:
    """What the person settled in an interview, in the order of the questions and of their criteria."""
    return tuple(sample for asked in fold(events).asked for sample in _samples(asked))


def sample_line(sample: SelfAssessed) -> str:
    """A self-assessed criterion as one line of JSON: a labeled sample, with what the judge had said of it.

    ``credit`` is what the person's verdict earns; ``judged`` holds the judge's verdict and probabilities.
    """
    row: dict[str, Any] = {
        "question_id": sample.question_id,
        "question": sample.question,
        "criterion": sample.criterion.model_dump(mode="json", include={"id", "text", "weight"}),
        "answer": sample.answer,
        "verdict": sample.verdict,
        "credit": EARNS[sample.verdict],
        "judged": sample.judged.model_dump(mode="json", exclude={"id", "evidence", "waived", "doubtful"}),
        "engine": sample.engine.model_dump(mode="json"),
    }
    return json.dumps(row, ensure_ascii=False)


def _samples(asked: AskedQuestion) -> Iterator[SelfAssessed]:
    own, graded, rubric = own_verdicts(asked), final_grade(asked), asked.question.rubric
    if graded is None or rubric is None:
        return
    criteria = {criterion.id: criterion for criterion in rubric.criteria}
    for judged in graded.grade.criteria:
        if judged.id in own and judged.id in criteria:
            yield SelfAssessed(
                question_id=asked.question.id,
                question=asked.question.text,
                criterion=criteria[judged.id],
                answer=graded.graded_text,
                verdict=own[judged.id],
                judged=judged,
                engine=graded.grade.engine,
            )
