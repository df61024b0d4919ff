"""The sentences that a question's points and reference tell, each fit to be said alone. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

import Stemmer

from interviewer.speech.speakable_text import readable, speakable
from interviewer.understanding.stop_words import EMPTY
from knowledge.model import Kind, Question

_FEWEST_WORDS = 4
_CLAUSE, _SO = re.compile(r"(?<=[.!?])\s+|;\s+"), re.compile(r"^so (?=\d)")
_CODE = re.compile(r"```.*?```", re.DOTALL)
_FORMULA = re.compile(r"[=≈√^²]|\d\)? ?[×*/÷] ?\(?\d")
_LEANS = re.compile(r"(?:so|the same|then|hence|therefore|otherwise|if it is)\b", re.IGNORECASE)
_ENDS = (".", "!")
"""What a sentence ends with; the rest are headings and pieces of lists."""


class Told(NamedTuple):
    """A sentence of the documents.

    Attributes:
        said: the sentence as it is written, fit to be read; aloud it goes through ``speakable``.
        asked: a question that it is known to answer; may be empty.
        right, wrong: statements that make the same point, and that contradict it, as they are written.

    """

    said: str
    asked: str = ""
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All that it is about, in words that are right."""
        return " ".join((self.said, self.asked, *self.right))

    @property
    def wordings(self) -> tuple[str, ...]:
        """All by which it is found."""
        return tuple(map(speakable, filter(None, (self.said, self.asked, *self.right, *self.wrong))))


def tells(question: Question) -> bool:
    """Whether there is anything to tell of a question."""
    return question.kind is not Kind.BEHAVIORAL and bool(question.reference.strip()) and not question.flags


def told_of(question: Question) -> list[Told]:
    """The points of a question, each with the probe that it answers, and the sentences of its reference."""
    criteria = question.rubric.criteria if question.rubric else ()
    points = [
        Told(readable(point.text), point.probe, point.examples.met, point.examples.contradicted)
        for point in criteria
        if question.of_bank
    ]
    prose = _CODE.sub("\n", question.reference)
    written = [_SO.sub("", each) for part in prose.split("\n\n") for each in _CLAUSE.split(" ".join(part.split()))]
    # A formula cannot be followed by ear, and what leans on what stands before it says nothing alone.
    alone = [each for each in written if not (_FORMULA.search(each) or _LEANS.match(each) or each[:1].islower())]
    told = [Told(readable(each)) for each in alone]
    return [each for each in (*points, *told) if len(each.said.split()) >= _FEWEST_WORDS and each.said.endswith(_ENDS)]


def stems(text: str) -> frozenset[str]:
    """The stems of the words that a text is about."""
    words = {
        word for word in re.findall(r"[a-z0-9]{2,}", text.lower().replace("_", " ")) if word not in _SAID_IN_ASKING
    }
    # A stemmer is not safe to share between threads, and quickly made.
    return frozenset(Stemmer.Stemmer("english").stemWords(sorted(words)))


_SAID_IN_ASKING = EMPTY | frozenset(
    re.findall(
        r"\S+",
        """
    ask asked asking could explain good help helps know large many mean much need please question should still tell
    there use used uses using want work works would
    """,
    )
)
