"""Design rounds of the bank: whether each has what 25 to 45 minutes need. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from knowledge.model import Kind, Question
from rubric.estimates import EstimateState, reading
from rubric.model import DEEP_DIVES, AskedBy, Criterion, DesignStage

FEWEST = 16
"""Rounds of the bank; the other design questions are warm-ups."""

CRITERIA = range(10, 17)
MINUTES = range(25, 46)
ESTIMATES = 2
"""The least number of estimates of a round."""

REQUIREMENTS = 6
"""The least number of things that are told to whoever asks for them."""

READ = 3
"""The least number of a criterion's statements that come to its number."""


def is_round(question: Question) -> bool:
    """Whether a question is meant as a design round."""
    return bool(question.change or question.deep_dives)


def problems_of_round(question: Question) -> Iterator[str]:
    """What is wrong with an entry's stages, one line each; of a question that is no design, whether it has any."""
    criteria = question.rubric.criteria if question.rubric else ()
    if question.kind is not Kind.SYSTEM_DESIGN:
        if is_round(question) or any(point.stage or point.estimate for point in criteria):
            yield "stages, estimates, a change or deep dives, and no design"
        return
    untagged = [point.id for point in criteria if point.stage is None]
    if untagged and (len(untagged) < len(criteria) or is_round(question)):
        yield f"criteria without a stage: {', '.join(untagged)}"
    if is_round(question):
        yield from _round(question, criteria)
    elif any(point.asked_by not in {AskedBy.OPENING, AskedBy.PROBE} for point in criteria):
        yield "criteria of a change or of a deep dive, and neither of them"


def _round(question: Question, criteria: Sequence[Criterion]) -> Iterator[str]:
    if question.minutes not in MINUTES:
        yield f"{question.minutes} minutes, not {MINUTES.start} to {MINUTES.stop - 1}"
    for stage in DesignStage:
        if all(point.stage is not stage for point in criteria):
            yield f"no criterion of the stage {stage}"
    if not question.change:
        yield "no change of requirements"
    if len(question.requirements) < REQUIREMENTS:
        yield f"{len(question.requirements)} requirements to be asked for, fewer than {REQUIREMENTS}"
    if len(question.deep_dives) != len(DEEP_DIVES):
        yield "no two deep dives to choose from"
    asked = Counter(point.asked_by for point in criteria)
    for asker in (AskedBy.OPENING, AskedBy.CHANGE, *DEEP_DIVES):
        if not asked[asker]:
            yield f"no criterion that the {asker} asks for"
    if any((point.asked_by in DEEP_DIVES) != (point.stage is DesignStage.DEEP_DIVE) for point in criteria):
        yield "deep dives ask for the points of their stage, and for no others"
    estimates = [point for point in criteria if point.estimate is not None]
    if len(estimates) < ESTIMATES:
        yield f"{len(estimates)} estimates, fewer than {ESTIMATES}"
    if any(point.stage is not DesignStage.ESTIMATE for point in estimates):
        yield "an estimate outside of its stage"
    for point in estimates:
        yield from _estimate(point, question.text)


def _estimate(point: Criterion, given: str) -> Iterator[str]:
    """Whether the statements of a point come to the number that its arithmetic gives, or do not."""

    def agreeing(statements: Sequence[str]) -> int:
        found = [reading(point.estimate, statement, given) for statement in statements if point.estimate]
        return sum(each.state is EstimateState.AGREES for each in found)

    if agreeing(point.examples.met) < READ:
        yield f"criterion {point.id}: fewer than {READ} statements “met” come to the number of the estimate"
    if agreeing((*point.examples.contradicted, *point.examples.near)):
        yield f"criterion {point.id}: a statement that is not “met” comes to the number of the estimate"


def problems_of_rounds(questions: Sequence[Question]) -> Iterator[str]:
    """What the bank lacks as a whole, one line each."""
    rounds = sum(is_round(question) for question in questions)
    if rounds < FEWEST:
        yield f"{rounds} design rounds, fewer than {FEWEST}"
