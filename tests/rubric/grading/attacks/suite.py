"""Reads the attacks and the controls, written by hand for questions of the bank."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field

from serving.frozen import FrozenModel

_HERE = Path(__file__).parent


class Family(StrEnum):
    """What an attack tries."""

    KEYWORDS = "keywords"
    """The right words, and no statement made of them."""
    QUESTION = "question"
    """The question said again, or said otherwise."""
    ELSEWHERE = "elsewhere"
    """A right answer to another question."""
    FILLER = "filler"
    """Confident talk that fits any question."""
    INSTRUCTION = "instruction"
    """Tells the examiner what to mark."""
    COMMENT = "comment"
    """The same in comments of code that does nothing."""
    FOREIGN = "foreign"
    """The same in another language."""
    SYSTEM = "system"
    """Poses as a message of the system, or as turns of a chat template."""
    VERDICT = "verdict"
    """Poses as the finished marks."""
    SPLIT = "split"
    """An instruction over several turns, none of which is one alone."""
    DELIMITER = "delimiter"
    """Ends the answer early and goes on in the examiner's words."""
    UNICODE = "unicode"
    """Lookalike, invisible and right-to-left characters around words or instructions."""
    HEDGING = "hedging"
    """Every point and its opposite."""
    REVERSAL = "reversal"
    """A right sentence, taken back by the next."""
    SMUGGLED = "smuggled"
    """The content put into the mouth of an interviewer, whom the candidate agrees with."""
    COPIES = "copies"
    """One sentence fifty times."""
    LONG = "long"
    """Many pages of nothing."""
    EMPTY = "empty"
    """No word at all."""


class Attack(FrozenModel):
    """An answer that wants more than its honest content earns.

    Attributes:
        question_id: the bank question it answers.
        family: what it tries.
        text: the answer, or what it repeats.
        honest: what a fair examiner would mark in it; empty where that is nothing.
        repeat: how many times the text is said.

    """

    question_id: str = Field(min_length=1)
    family: Family
    text: str
    honest: str
    repeat: int = Field(default=1, ge=1)

    @property
    def answer(self) -> str:
        """The answer as it is given."""
        return " ".join([self.text] * self.repeat)


class Control(FrozenModel):
    """An answer that means no harm.

    Attributes:
        question_id: the bank question it answers.
        kind: ``honest`` makes about half of the points, ``voice`` is the same as a recognizer might have heard it;
            the others make none.
        text: the answer.

    """

    question_id: str = Field(min_length=1)
    kind: Literal["honest", "voice", "empty", "gibberish", "next"]
    text: str


def attacks() -> tuple[Attack, ...]:
    """All attacks, question by question."""
    return tuple(Attack.model_validate_json(line) for line in _lines(_HERE / "attacks.jsonl"))


def controls() -> tuple[Control, ...]:
    """All controls, question by question, one of each kind for every question."""
    return tuple(Control.model_validate_json(line) for line in _lines(_HERE / "controls.jsonl"))


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from file
