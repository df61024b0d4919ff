"""What an answer needs that its reference cannot say: a person's own story, and the dimensions of a design.

A story is the person's own, so there is nothing to compare it with; a design is judged by what was considered, not
by whether it is the one in the document. The criteria for both are written here once, with statements that meet,
contradict or come near them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rubric.model import Criterion, Examples

BEHAVIORAL = "behavioral"
SYSTEM_DESIGN = "system design"


class Dimension(StrEnum):
    """What a design has to consider, in the order in which it is best told."""

    REQUIREMENTS = "requirements"
    COMPONENTS = "components"
    DATA_FLOW = "data flow"
    TRADE_OFFS = "trade-offs"
    FAILURE = "failure"
    NUMBERS = "numbers"


_STORY_TOLD = re.compile(r"\bsituation\b.*\btask\b.*\baction\b.*\bresult", re.IGNORECASE | re.DOTALL)

_LABEL_COUNTS = 3
"""How many cues in the text one in its labels is worth: a label says what the text is about."""


def asks_for_a_story(question: str, reference: str) -> bool:
    """Whether a behavioral question asks for something that happened; one about habits and views does not.

    A question without any reference is taken as one, since nothing else could be asked of its answer.
    """
    return not reference.strip() or bool(_story_asked().search(question) or _STORY_TOLD.search(reference))


def story_criteria() -> tuple[Criterion, ...]:
    """Situation, task, action, result, ownership and reflection, for any story of the person's own."""
    return _written("story")


def dimension_criterion(dimension: Dimension) -> Criterion:
    """What a design has to say on a dimension about which its reference is silent."""
    return next(item for item in _written("design") if item.id == dimension.replace(" ", "-"))


def dimension_of(text: str, labels: Sequence[str] = ()) -> Dimension:
    """The dimension that a statement about a design belongs to; what fits none is about components."""

    def fit(dimension: Dimension) -> int:
        cues = _cues(dimension)
        return len(set(cues.findall(text.lower()))) + _LABEL_COUNTS * sum(bool(cues.search(label)) for label in labels)

    best = max(Dimension, key=fit)
    return best if fit(best) else Dimension.COMPONENTS


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("answer_kinds.yaml").read_text(encoding="utf-8"))
    return found


@cache
def _written(part: str) -> tuple[Criterion, ...]:
    return tuple(_criterion(item) for item in _data()[part])


def _criterion(item: dict[str, Any]) -> Criterion:
    examples = Examples(met=item["met"], contradicted=item["contradicted"], near=item["near"])
    return Criterion(id=item["id"], text=item["text"], weight=item["weight"], probe=item["probe"], examples=examples)


@cache
def _story_asked() -> re.Pattern[str]:
    return _any_of(_data()["story_asked"])


@cache
def _cues(dimension: Dimension) -> re.Pattern[str]:
    return _any_of(_data()["cues"][dimension.value])


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)
