"""Labelled answers made of a bank's own example statements, so that the judge has met the bank's criteria.

Each answer says some points, contradicts some, comes near some and leaves the rest out, in random order; the
labels follow from which statements were taken. A statement that is used is taken out of its criterion's examples,
as an answer never finds itself among them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from rubric.model import Criterion, Rubric, Verdict
from rubric.samples import Answer

SHARES = ((Verdict.MET, 0.4), (Verdict.CONTRADICTED, 0.2), (Verdict.MISSING, 0.4))
NEAR = 0.4
"""Share of the missing points that an answer at least comes near."""

FAMILY = "composite"


def composites(questions: Sequence[tuple[str, str, Rubric]], each: int, seed: int = 0) -> list[Answer]:
    """Answers to each question.

    Args:
        questions: id, text and rubric of each; every criterion with statements of all three kinds.
        each: how many answers a question gets.
        seed: makes them repeatable.
    """
    rng = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret
    return [_composite(*question, rng) for question in questions for _ in range(each)]


def _composite(question_id: str, text: str, rubric: Rubric, rng: random.Random) -> Answer:
    said: list[str] = []
    criteria: list[Criterion] = []
    labels: list[Verdict] = []
    for criterion in rubric.criteria:
        label = rng.choices([verdict for verdict, _ in SHARES], [share for _, share in SHARES])[0]
        kind = {Verdict.MET: "met", Verdict.CONTRADICTED: "contradicted", Verdict.MISSING: "near"}[label]
        spoken = label is not Verdict.MISSING or rng.random() < NEAR
        statements: tuple[str, ...] = getattr(criterion.examples, kind)
        chosen = rng.choice(statements)
        if spoken:
            said.append(chosen)
            left = tuple(statement for statement in statements if statement != chosen)
            examples = criterion.examples.model_copy(update={kind: left})
            criteria.append(criterion.model_copy(update={"examples": examples}))
        else:
            criteria.append(criterion)
        labels.append(label)
    rng.shuffle(said)
    return Answer(
        question_id=question_id,
        question=text,
        criteria=tuple(criteria),
        style=FAMILY,
        family=FAMILY,
        text=" ".join(said) or "I have never worked with that.",
        labels=tuple(labels),
    )
