"""A grader that knows the example statements by heart: fast, the same every time, and no model."""

from __future__ import annotations

import time

from rubric.grader import GradeRequest
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Span, Verdict


class ExampleGrader:
    """Marks a criterion by whether one of its own examples stands in the answer, word for word."""

    def grade(self, request: GradeRequest) -> Grade:
        time.sleep(0.5)  # long enough for the page to say that it is being graded
        verdicts = tuple(_verdict(criterion, request.answer) for criterion in request.rubric.criteria)
        weights = [criterion.weight for criterion in request.rubric.criteria]
        total = sum((v.credit or 0.0) * w for v, w in zip(verdicts, weights, strict=True))
        engine = Engine(judge="examples/1", model="none", digest="", rubric_version=request.rubric.version)
        return Grade(score=total / sum(weights), criteria=verdicts, engine=engine, seconds=0.5)


def _verdict(criterion: Criterion, answer: str) -> CriterionVerdict:
    met = _place(criterion.examples.met, answer)
    wrong = _place(criterion.examples.contradicted, answer)
    if wrong:
        return CriterionVerdict(
            id=criterion.id, credit=0.0, verdict=Verdict.CONTRADICTED, sure=True, contradicted=1.0, evidence=wrong
        )
    return CriterionVerdict(
        id=criterion.id,
        credit=1.0 if met else 0.0,
        verdict=Verdict.MET if met else Verdict.MISSING,
        sure=True,
        contradicted=0.0,
        evidence=met,
    )


def _place(examples: tuple[str, ...], answer: str) -> tuple[Span, ...]:
    for example in examples:
        start = answer.find(example)
        if start >= 0:
            return ((start, start + len(example)),)
    return ()
