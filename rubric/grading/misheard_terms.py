"""What recognition may have misheard: doubtful words of an answer that sound or look like a term of a criterion. Pure.

A spoken answer loses words, and the terms that a point hangs on are the first to go. Where a criterion seems missing
and a word that recognition was unsure of comes near one of its terms, the point may have been made: that is worth a
question before it is lost. Nothing is credited for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Protocol

from jellyfish import metaphone

from rubric.model import Criterion, CriterionVerdict, Rubric, Unit, Verdict
from rubric.words import STOP
from serving.frozen import FrozenModel

DOUBTFUL = 0.6
"""Probability below which a recognized word is doubtful."""

ALIKE = 0.75
"""Share of letters, in order, that two words need in common to be taken for each other (Ratcliff and Obershelp)."""

SHORTEST = 4
"""Letters of a term; shorter ones come near too many words."""

MOST_JOINED = 3
"""Words that recognition may have made of one term: "all re duce"."""

TERM = re.compile(r"[^\W\d_][\w.\-]*\w")

ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")
"""What a word may end in and be the same word."""


class Word(Protocol):
    """A recognized word."""

    @property
    def text(self) -> str:
        """As it was written down."""

    @property
    def probability(self) -> float:
        """How sure recognition is of it, 0 to 1."""


class HeardWord(FrozenModel):
    """A recognized word of an answer, as it is kept with what is to be graded.

    Attributes:
        text: as it was written down.
        probability: how sure recognition is of it.

    """

    text: str
    probability: Unit


def near_doubtful(criterion: Criterion, words: Sequence[Word]) -> tuple[str, ...]:
    """Terms of a criterion that a doubtful word of the answer may have been, the likeliest first.

    Args:
        criterion: its text and the statements that meet it name the terms.
        words: all words of the answer in order, each with its probability.

    Returns:
        The terms as the criterion writes them; none that the answer holds anyway.

    """
    said = {plain for word in words if (plain := letters(word.text))}
    found: dict[str, float] = {}
    for term in terms(criterion):
        plain = letters(term)
        if any(_same(plain, other) for other in said):
            continue
        likeness = max((alike(plain, heard) for heard in doubtful(words)), default=0.0)
        if likeness >= ALIKE:
            found[term] = likeness
    return tuple(sorted(found, key=lambda term: -found[term]))


def terms(criterion: Criterion) -> tuple[str, ...]:
    """The words of a criterion that may have been misheard, as it writes them, each once."""
    kept: dict[str, str] = {}
    for text in (criterion.text, *criterion.examples.met):
        for term in TERM.findall(text):
            plain = letters(term)
            if len(plain) >= SHORTEST and plain not in STOP:
                kept.setdefault(plain, term)
    return tuple(kept.values())


def doubtful(words: Sequence[Word]) -> Iterator[str]:
    """The letters of each doubtful word, alone and joined with its neighbors."""
    plain = [letters(word.text) for word in words]
    for count in range(1, MOST_JOINED + 1):
        for at in range(len(words) - count + 1):
            if any(word.probability < DOUBTFUL for word in words[at : at + count]):
                joined = "".join(plain[at : at + count])
                if joined not in STOP:
                    yield joined


def alike(one: str, other: str) -> float:
    """How alike two words are, 0 to 1: by their letters, or by the consonants that are heard of them (Metaphone)."""
    if not one or not other or abs(len(one) - len(other)) > max(2, len(one) // 3):
        return 0.0
    spelled = SequenceMatcher(None, one, other, autojunk=False).ratio()
    heard_one, heard_other = metaphone(one), metaphone(other)
    if len(heard_one) < 2 or heard_one[0] != heard_other[:1]:
        return spelled if spelled > ALIKE else 0.0
    heard = SequenceMatcher(None, heard_one, heard_other, autojunk=False).ratio()
    # A sound in common is little for a short word: the letters must bear it out.
    return max(spelled, (heard + spelled) / 2)


def letters(text: str) -> str:
    """The letters and digits of a word, lower case."""
    return "".join(character for character in text.lower() if character.isalnum())


def with_doubtful(verdict: CriterionVerdict, criterion: Criterion, words: Sequence[Word]) -> CriterionVerdict:
    """The verdict, with the terms that may have been misheard where the point seems not to be made."""
    lost = verdict.verdict is Verdict.MISSING or (verdict.credit is not None and not verdict.sure)
    return verdict.model_copy(update={"doubtful": near_doubtful(criterion, words)}) if lost and words else verdict


def all_with_doubtful(
    verdicts: Sequence[CriterionVerdict], rubric: Rubric, words: Sequence[Word]
) -> tuple[CriterionVerdict, ...]:
    """The verdicts of an answer, each with what may have been misheard."""
    return tuple(with_doubtful(each, rubric.criterion(each.id), words) for each in verdicts)


def _same(one: str, other: str) -> bool:
    """Whether two words differ by an ending at most."""
    return ENDING.sub("", one) == ENDING.sub("", other)
