"""What gives an answer away while its question is open: the one check for it, whoever words what is said. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from interviewer.speech.speakable_text import speakable
from knowledge.model import Question

RUN = 6
"""Words running that tell where they come from."""

Run = tuple[str, ...]
"""Words running, in lower case."""


class Secrets(NamedTuple):
    """What must not be said of a question while it is open.

    Attributes:
        runs: of its criteria, their example statements and its reference every ``RUN`` words running that the question
            itself does not have, and whole whatever is shorter.
        lengths: how many words these have.

    """

    runs: frozenset[Run]
    lengths: tuple[int, ...]

    def in_text(self, text: str) -> frozenset[Run]:
        """Which of them a text has."""
        found = (run for length in self.lengths for run in _runs(text, length))
        return frozenset(run for run in found if run in self.runs)


# Held against one saying after the other while a question is open.
@lru_cache(maxsize=64)
def secrets(question: Question) -> Secrets:
    """What must not be said of a question while it is open; without a rubric, that is its reference."""
    criteria = question.rubric.criteria if question.rubric else ()
    examples = [criterion.examples for criterion in criteria]
    told = [text for each in examples for text in (*each.met, *each.contradicted, *each.near)]
    # A short criterion is a whole point; a few words of a reference or of a statement are anybody's.
    points = frozenset(words_in(criterion.text) for criterion in criteria if 0 < len(words_in(criterion.text)) < RUN)
    # What is said has gone through ``speakable``, so both forms of a text are held against it.
    texts = (*(criterion.text for criterion in criteria), *told, question.reference, speakable(question.reference))
    runs = frozenset(run for text in texts for run in _runs(text, RUN)) | points
    lengths = tuple(sorted({len(run) for run in runs}))
    every = Secrets(runs, lengths)
    return Secrets(runs - frozenset().union(*map(every.in_text, shown_of(question))), lengths)


def shown_of(question: Question) -> tuple[str, ...]:
    """The question as the person reads it and hears it."""
    return (question.text, question.spoken, speakable(question.text), speakable(question.spoken))


def leaked(said: str, kept: Secrets, known: Iterable[str] = ()) -> frozenset[Run]:
    """What of the secrets of a question a saying gives away.

    Args:
        said: what is said, or is going to be.
        kept: the question's.
        known: what the person was told before, or said themselves.

    """
    found = kept.in_text(said)
    return found - frozenset(run for text in known for run in kept.in_text(text)) if found else found


def _runs(text: str, length: int) -> Iterator[Run]:
    words = words_in(text)
    return (words[place : place + length] for place in range(len(words) - length + 1))


# Whoever looks for leaks holds the same few texts against many questions.
@lru_cache(maxsize=4096)
def words_in(text: str) -> Run:
    """The words of a text, in lower case."""
    return tuple(re.findall(r"[^\W_]+", text.casefold()))
