"""Answers put together from the bank's example statements, so that the verdict of each criterion is known. Pure.

A statement alone teaches a judge to read one sentence; an answer says several things, some right and some wrong, in one
manner. So statements of several criteria of a question are said one after another, as they would be spoken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from rubric.model import Criterion, Verdict

_HOW_MANY = (1, 1, 2, 2, 3, 3, 4, 5)
_SHARES = {Verdict.MET: 0.44, Verdict.CONTRADICTED: 0.42, Verdict.MISSING: 0.14}
"""How often the statement said of a criterion is one that meets it, contradicts it, or only comes near."""
_ASKED = 4
_FILLED, _JOINED = 0.3, 0.2
"""Shares of answers with fillers, and with words that join sentences."""
_OFTEN = 0.5
_UNMARKED = 0.2
"""Share without capitals and marks, as recognition may print it."""
_FILLERS = ("um, ", "so, ", "I mean, ", "well, ", "you know, ", "right, ", "okay so ", "hmm, ")
_JOINTS = ("And ", "Also, ", "Then ", "Plus ", "Besides, ")


class Composed(NamedTuple):
    """An answer of known verdicts.

    Attributes:
        text: what is said.
        criteria: some of the question's.
        labels: their verdicts, in their order.

    """

    text: str
    criteria: tuple[Criterion, ...]
    labels: tuple[Verdict, ...]


def composed(criteria: Sequence[Criterion], draw: random.Random) -> Composed:
    """An answer that speaks of some of a question's criteria; one or two that it does not speak of are asked too.

    Args:
        criteria: with statements that meet and that contradict them; at least one.
        draw: of everything that is drawn.

    """
    spoken = draw.sample(list(criteria), min(len(criteria), draw.choice(_HOW_MANY)))
    said = [_statement(item, draw) for item in spoken]
    labels = {item.id: verdict for item, (_, verdict) in zip(spoken, said, strict=True)}
    silent = [item for item in criteria if item.id not in labels]
    asked = spoken[:_ASKED]
    room = min(len(silent), 1 if len(asked) > 1 else 2, _ASKED - len(asked))
    asked = [*asked, *draw.sample(silent, room)]
    statements = [text for text, _ in said]
    draw.shuffle(statements)
    verdicts = tuple(labels.get(item.id, Verdict.MISSING) for item in asked)
    return Composed(as_spoken(statements, draw), tuple(asked), verdicts)


def _statement(item: Criterion, draw: random.Random) -> tuple[str, Verdict]:
    (verdict,) = draw.choices(list(_SHARES), weights=list(_SHARES.values()))
    if verdict is Verdict.MISSING and not item.examples.near:
        verdict = Verdict.CONTRADICTED
    texts = {
        Verdict.MET: item.examples.met,
        Verdict.CONTRADICTED: item.examples.contradicted,
        Verdict.MISSING: item.examples.near,
    }
    return draw.choice(texts[verdict]), verdict


def as_spoken(statements: Sequence[str], draw: random.Random) -> str:
    """Statements one after another, as somebody may say them."""
    manner = draw.random()
    before: Sequence[str] = _FILLERS if manner < _FILLED else _JOINTS if manner < _FILLED + _JOINED else ()
    said = [
        draw.choice(before) + text[:1].lower() + text[1:] if before and draw.random() < _OFTEN else text
        for text in statements
    ]
    text = " ".join(said)
    return "".join(mark for mark in text.lower() if mark not in ",.`") if draw.random() < _UNMARKED else text
