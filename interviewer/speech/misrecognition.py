"""What a doubtful word may have been: proposed to the person, never put in their mouth. Pure.

Guesses by likeness were found wrong more often than right, so only words of which the recognizer itself was unsure are
looked at, only terms of the question and the field are proposed, and the answer is sent as it stands unless the
person takes one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from interviewer.speech.domain_lexicon import ACRONYMS, ALONE
from serving.frozen import FrozenModel
from serving.speech.stt.transcript import DOUBTFUL, Word

ALIKE = 0.74
"""Likeness of sound from which a term is proposed, 0 to 1."""

MOST = 5
"""Most proposals for one answer: a longer list is not read."""

_LONGEST_WORDS = 3
_SHORTEST_LETTERS = 4

# Letters that a recognizer takes for one another.
_SOUNDS = (("ph", "f"), ("ck", "k"), ("qu", "kw"), ("x", "ks"), ("c", "k"), ("z", "s"), ("y", "i"), ("oo", "u"))


class Suggestion(FrozenModel):
    """A term that was perhaps meant.

    Attributes:
        heard: the words as they were recognized.
        meant: the term.
        start: seconds from the beginning of the recording.
        likeness: of the sounds, 0 to 1.

    """

    heard: str
    meant: str
    start: float
    likeness: float


def suggestions(words: Sequence[Word], terms: Sequence[str] = ()) -> tuple[Suggestion, ...]:
    """The likeliest terms for the doubtful words, in the order in which they were said.

    Args:
        words: as they were recognized, with how sure the recognizer was.
        terms: of the question at hand; those of the field are known.

    """
    known = {_sound(term): term for term in (*ACRONYMS, *ALONE, *terms) if len(_sound(term)) >= _SHORTEST_LETTERS}
    found: list[tuple[int, int, Suggestion]] = []
    for first in range(len(words)):
        for count in range(1, _LONGEST_WORDS + 1):
            span = words[first : first + count]
            if len(span) == count and any(word.probability < DOUBTFUL for word in span):
                best = _best(span, known)
                if best is not None:
                    found.append((first, first + count, best))
    chosen: list[tuple[int, int, Suggestion]] = []
    for one in sorted(found, key=lambda each: -each[2].likeness):
        if all(one[1] <= begin or end <= one[0] for begin, end, _ in chosen) and len(chosen) < MOST:
            chosen.append(one)
    return tuple(suggestion for _, _, suggestion in sorted(chosen, key=lambda each: each[0]))


def _best(span: Sequence[Word], known: dict[str, str]) -> Suggestion | None:
    heard = " ".join(word.text for word in span).strip(".,;:!?")
    sound = _sound(heard)
    if len(sound) < _SHORTEST_LETTERS or sound in known:
        return None
    alike, key = max((SequenceMatcher(None, sound, key).ratio(), key) for key in known)
    # A word of its own within a term ("memory" in pin_memory) was meant as that word.
    if alike < ALIKE or sound in key:
        return None
    return Suggestion(heard=heard, meant=known[key], start=span[0].start, likeness=round(alike, 3))


def _sound(text: str) -> str:
    letters = re.sub(r"[^a-z0-9]", "", text.lower())
    for written, spoken in _SOUNDS:
        letters = letters.replace(written, spoken)
    return re.sub(r"(.)\1+", r"\1", letters)
