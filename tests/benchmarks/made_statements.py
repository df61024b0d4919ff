"""Example statements for criteria that came without any, written by a model and checked: a trial. Pure.

A statement that is meant to make a point has to be read as making it, one that is meant to contradict it as
contradicting it, by the cross-encoder that would read a person's answers beside it. With the embedded model that was
not worth having (docs/benchmarks/judge-alternatives.md), so the product makes none; ``made.py`` tells what another
model's are worth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rubric.grading.prompts import neutral
from rubric.model import Criterion, Examples
from serving.arrays import FloatArray
from serving.encoders.cross_encoder import RELATIONS, Pair
from serving.llm.client import ChatPrompt

MOST_TOKENS = 220
"""Tokens of a reply; five spoken sentences have about 130."""

ASKED_FOR = 5
"""Statements of each sort that the model is asked for."""

FEWEST_WORDS, MOST_WORDS = 4, 45
"""Words of a statement; shorter ones say nothing, longer ones more than one thing."""

_SYSTEM = (
    "You write down how candidates speak in job interviews on machine learning. You reply with the sentences alone."
)
_MARK = re.compile(r"^\s*(?:[-*+•]|\(?\d{1,2}[.):])\s*")
_QUOTES = "\"'“”„«»`* "
_SAME, _OPPOSITE = RELATIONS.index("same"), RELATIONS.index("opposite")


def requests(question: str, criterion: Criterion) -> tuple[ChatPrompt, ChatPrompt]:
    """What the model is asked: for statements that make the point, and for such as contradict it."""
    about = f"The question was: {neutral(question)}\n\nOne point of a full answer: {neutral(criterion.text)}\n\n"
    meets = (
        f"Write {ASKED_FOR} sentences in which candidates make exactly this point, each in other words: one as a "
        "textbook has it, one in everyday words, one very short, one with a comparison, one as spoken. One a line."
    )
    opposes = (
        f"Write {ASKED_FOR} sentences in which mistaken candidates say something about the same thing that is wrong "
        "and cannot be true together with this point. Each is stated with confidence. One a line."
    )
    return ChatPrompt(system=_SYSTEM, user=about + meets), ChatPrompt(system=_SYSTEM, user=about + opposes)


def statements_in(reply: str) -> tuple[str, ...]:
    """The sentences of a reply, one a line, without marks and quotation marks; what is no sentence is left out."""
    lines = (_MARK.sub("", line).strip(_QUOTES) for line in neutral(reply).splitlines())
    return tuple(dict.fromkeys(line for line in lines if FEWEST_WORDS <= len(line.split()) <= MOST_WORDS))


def pairs(criterion: Criterion, statements: Iterable[str]) -> list[Pair]:
    """What the cross-encoder is to read: each statement beside the point."""
    return [(criterion.text, statement) for statement in statements]


def checked(
    criterion: Criterion,
    met: tuple[str, ...],
    contradicted: tuple[str, ...],
    relations: FloatArray,
) -> Examples:
    """The statements that are read as what they are meant to be; none where there are not some of both sorts.

    Args:
        criterion: the point.
        met: statements that were meant to make it.
        contradicted: statements that were meant to contradict it.
        relations: log-probabilities of ``RELATIONS`` for all of them beside the point, in that order, [n, 3].

    """
    repeats = criterion.text.casefold().rstrip(".")
    read = relations.argmax(axis=1)
    says = tuple(
        text
        for text, relation in zip(met, read[: len(met)], strict=True)
        if relation == _SAME and text.casefold().rstrip(".") != repeats
    )
    denies = tuple(text for text, relation in zip(contradicted, read[len(met) :], strict=True) if relation == _OPPOSITE)
    return Examples(met=says, contradicted=denies) if says and denies else Examples()
