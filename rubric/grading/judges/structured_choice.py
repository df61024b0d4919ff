"""One choice of four for each point: how a model is asked whose server gives no log-probabilities.

A bare choice does not say how sure it is. Until the model was measured it is therefore taken for likely and never for
sure; ``make grade-bench MODEL=…`` learns what each choice is worth.
"""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np

from rubric.grading import prompts
from rubric.model import Verdict
from serving.arrays import FloatArray
from serving.errors import ProtocolError

MOST = 24
"""Tokens of a reply; the object asked for has about eight."""

Odds = tuple[float, float]

CHOICE_ODDS: Final[dict[Verdict, Odds]] = {
    Verdict.MET: (1.25, -1.25),
    Verdict.PARTIAL: (0.25, -1.25),
    Verdict.MISSING: (-1.25, -1.25),
    Verdict.CONTRADICTED: (-1.25, 1.25),
}
"""Log-odds of "makes this point" and of "says the opposite" that a choice stands for: likely, and none of them sure."""

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": [each.value for each in Verdict]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


def choice_part(criterion: str) -> str:
    """The part that asks what the answer makes of one point."""
    return (
        f"Point: {prompts.neutral(criterion)}\n"
        "What does the candidate make of this point? met: says it, in whatever words; partial: says a part of it; "
        "missing: says nothing of it; contradicted: says the opposite. "
        'Reply with JSON only: {"verdict": "met" or "partial" or "missing" or "contradicted"}'
    )


def read_choice(text: str) -> Verdict:
    """The choice in a reply, which may stand in a fence or among words.

    Raises:
        ProtocolError: it holds no choice, or one that was not to be had.

    """
    begin, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[begin : end + 1])
        return Verdict(str(found["verdict"]).strip().lower())
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ProtocolError(
            "The model's reply holds no verdict.", hint="Name a model that can reply with JSON."
        ) from error


def chosen(odds: FloatArray) -> bool:
    """Whether log-odds [n, 2] stand for choices: measured ones are never all among the four."""
    allowed = {tuple(np.float32(each) for each in pair) for pair in CHOICE_ODDS.values()}
    return all((first, second) in allowed for first, second in odds.astype(np.float32))
