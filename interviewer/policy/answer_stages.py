"""The stages in which a design is discussed and a story is told, and which of them a criterion belongs to. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from knowledge.model import Kind
from rubric.answer_kinds import Dimension, dimension_of
from rubric.grading.evidence import sentences
from rubric.model import Criterion, Span


class Stage(StrEnum):
    """A part of a design discussion or of a story, each in the order in which it is best told."""

    REQUIREMENTS = "requirements"
    ESTIMATE = "estimate"
    HIGH_LEVEL = "high level"
    DEEP_DIVE = "deep dive"
    FAILURE = "failure and operations"
    TRADE_OFFS = "trade-offs"
    SITUATION = "situation"
    ACTION = "own action"
    RESULT = "measured result"
    REFLECTION = "reflection"


ORDER = {stage: place for place, stage in enumerate(Stage)}
"""The place of each stage; those of a design come before those of a story, and no question has both."""

_OF_DESIGN = {
    Dimension.REQUIREMENTS: Stage.REQUIREMENTS,
    Dimension.NUMBERS: Stage.ESTIMATE,
    Dimension.COMPONENTS: Stage.HIGH_LEVEL,
    Dimension.DATA_FLOW: Stage.HIGH_LEVEL,
    Dimension.TRADE_OFFS: Stage.TRADE_OFFS,
    Dimension.FAILURE: Stage.FAILURE,
}
_OF_STORY = {
    "situation": Stage.SITUATION,
    "task": Stage.SITUATION,
    "action": Stage.ACTION,
    "ownership": Stage.ACTION,
    "result": Stage.RESULT,
    "reflection": Stage.REFLECTION,
}
# What a criterion of a story says, for criteria that were written for one question; what fits none is an action.
_CUES = (
    (
        Stage.REFLECTION,
        r"learn\w*|differently|sooner|next time|looking back|admits|misunderst\w+|because of",
    ),
    (Stage.RESULT, r"results?|outcome|in the end|ended|proves|showed|shows? that|afterwards|kept, reworked|figures?"),
    (Stage.SITUATION, r"occasion|situation|starting point|how it was noticed|needed|feared|problem for|at stake"),
)


def stage_of(kind: Kind, criterion: Criterion) -> Stage | None:
    """The stage that a criterion belongs to; ``None`` for kinds of question that have no stages."""
    if kind is Kind.SYSTEM_DESIGN and criterion.stage is not None:
        return Stage(criterion.stage.value)
    if kind is Kind.SYSTEM_DESIGN:
        named = next((found for found in Dimension if criterion.id == found.replace(" ", "-")), None)
        return _OF_DESIGN[named or dimension_of(f"{criterion.text} {criterion.probe}")]
    if kind is Kind.BEHAVIORAL:
        return _OF_STORY.get(criterion.id) or _told_as(criterion.text)
    return None


def names_stage(kind: Kind, criterion: Criterion) -> bool:
    """Whether a criterion itself says which stage it belongs to, so that ``stage_of`` has nothing to guess."""
    if kind is Kind.SYSTEM_DESIGN:
        return criterion.stage is not None or any(criterion.id == found.replace(" ", "-") for found in Dimension)
    return kind is Kind.BEHAVIORAL and criterion.id in _OF_STORY


_TOLD = {
    Stage.SITUATION: (
        r"\b(?:last|this|two|three|four|few|couple of) (?:days?|weeks?|months?|years?|spring|summer|autumn|fall|winter"
        r"|quarter)\b|\bin (?:20\d\d|january|february|march|april|may|june|july|august|september|october|november"
        r"|december)\b|\bwhen (?:i|we) (?:was|were|had|worked|joined|started)\b"
        r"|\bat (?:my|our) (?:last|previous|former|current)\b|\b(?:we|i) (?:had|were|was|ran)\b|\bour \w+ (?:was"
        r"|were)\b"
    ),
    Stage.ACTION: r"\bi (?:then |first |also |finally |just |\w+ly )?(?!learned|learnt|noticed|wished|wanted"
    r"|needed|was|had)"
    r"(?:\w+ed|wrote|built|ran|made|took|set|found|cut|went|put|got|led|chose|sat|split|drew|held|brought|told"
    r"|spoke)\b",
    Stage.RESULT: (
        r"\d ?%|\bper ?cent\b|\bin the end\b|\bas a result\b|\b(?:dropped|fell|went (?:down|up)|rose|saved|halved"
        r"|doubled"
        r"|shipped|improved|recovered|cut)\b|\btimes (?:faster|slower|cheaper|less|more)\b|\bsince then\b|\bended up\b"
        r"|\bfrom \S+(?: \w+)? (?:down )?to \S+"
    ),
    Stage.REFLECTION: (
        r"\b(?:learned|learnt|next time|hindsight|looking back|taught me|take-?away|lesson|should have"
        r"|would (?:now |today )?(?:do|have|ask|start)|differently|these days i|now i always|since then i)\b"
    ),
}
"""What a stage of a story is told with."""


def told_on(kind: Kind, criterion: Criterion, text: str) -> tuple[Span, ...]:
    """The sentences of a story that tell the stage of a criterion, those first in which it is told best.

    Nobody is asked what they did who has just told it, whatever the judge made of it.
    """
    stage = stage_of(kind, criterion) if kind is Kind.BEHAVIORAL else None
    if stage is None:
        return ()
    found = [(start, end) for start, end in sentences(text) if re.search(_TOLD[stage], text[start:end].lower())]
    return tuple(found[::-1] if stage in {Stage.RESULT, Stage.REFLECTION} else found)


def _told_as(text: str) -> Stage:
    low = text.lower()
    return next((stage for stage, cues in _CUES if re.search(rf"\b(?:{cues})\b", low)), Stage.ACTION)
