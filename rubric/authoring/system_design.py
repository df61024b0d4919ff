"""Statements of a reference design -> criteria under the dimensions of a design."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rubric.answer_kinds import Dimension, dimension_criterion, dimension_of
from rubric.authoring.english import plain, small
from rubric.authoring.selection import distinct, importance
from rubric.authoring.statements import Statement
from rubric.model import Criterion

_MOST_OF_ONE = 2
"""Criteria of one dimension at most."""

_MOST = 8
"""Criteria of a design at most."""


def design_criteria(found: Sequence[Statement], question: str) -> tuple[Criterion, ...]:
    """Criteria for a design: what the reference considers, dimension by dimension.

    Each asks whether the same concern was considered, and gives the reference's way as one example, since another
    design can be as good. A dimension on which the reference is silent is asked for in general words.
    """
    kept = distinct(found)
    worth = importance(kept, question)
    sorted_in: dict[Dimension, list[int]] = defaultdict(list)
    for at in sorted(range(len(kept)), key=lambda at: (-worth[at], at)):
        sorted_in[dimension_of(kept[at].text, kept[at].labels)].append(at)
    chosen = {dimension: sorted_in[dimension][:1] for dimension in Dimension}
    second = [(worth[own[1]], -own[1], dimension) for dimension, own in sorted_in.items() if len(own) >= _MOST_OF_ONE]
    for _, _, dimension in sorted(second, reverse=True)[: _MOST - len(Dimension)]:
        chosen[dimension] = sorted(sorted_in[dimension][:_MOST_OF_ONE])
    criteria: list[Criterion] = []
    for dimension in Dimension:
        general = dimension_criterion(dimension)
        if not chosen[dimension]:
            criteria.append(general)
        for number, at in enumerate(chosen[dimension], start=1):
            text = _considered(kept[at], dimension)
            criteria.append(
                Criterion(id=f"{general.id}-{number}", text=text, weight=general.weight, probe=general.probe)
            )
    return tuple(criteria)


def _considered(statement: Statement, dimension: Dimension) -> str:
    """The statement as one way of meeting a concern."""
    _, found, body = statement.text.partition(": ")
    front = dimension.value.capitalize()
    if found and statement.labels:
        return f"{front}: considers {plain(statement.labels[-1])}, for example: {body}"
    return f"{front}: considers this or another way to meet the same need: {small(statement.text)}"
