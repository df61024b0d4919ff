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
from rubric.words import STOP
from serving.frozen import FrozenModel
from serving.speech.stt.transcript import DOUBTFUL, Word

ALIKE = 0.74
"""Likeness of sound from which a term is proposed, 0 to 1."""

ALIKE_SHORT = 0.86
"""The same for a term of few letters, in which most everyday words come near: "OK, so" and ONNX."""

MOST = 1
"""Most proposals for one answer: each is read before the answer is sent."""

_LONGEST_WORDS = 3
_SHORTEST_LETTERS = 4
_FEW_LETTERS = 5
_NEARLY_ALL = 0.8

_TALK = STOP | frozenset(
    re.findall(
        r"\S+",
        """
    a ah all an and any as at be because by can do er erm first for from get go have he hm hmm huh i if in is it just
    last like me mm my next no not of oh ok okay on once one or our out said say second so than that the then there they
    this three to two uh uhm um umm up us was we well were what when with would yeah yep yes you your
    """,
    )
)
"""Words of any talk, hums among them: that recognition was unsure of one says nothing of the term beside it."""

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
            if len(span) == count and _may_be_a_term(span, known):
                best = _best(span, known)
                if best is not None:
                    found.append((first, first + count, best))
    chosen: list[tuple[int, int, Suggestion]] = []
    for one in sorted(found, key=lambda each: -each[2].likeness):
        if all(one[1] <= begin or end <= one[0] for begin, end, _ in chosen) and len(chosen) < MOST:
            chosen.append(one)
    return tuple(suggestion for _, _, suggestion in sorted(chosen, key=lambda each: each[0]))


def _may_be_a_term(span: Sequence[Word], known: dict[str, str]) -> bool:
    """Whether words may be one term that was misheard: each word belongs to it, and one of its own was doubtful.

    Neither a word of any talk nor a term of its own is a part of another term, and none goes on past a comma.
    """
    heard = [word.text.lower().strip(" .,;:!?") for word in span]
    own = [word not in _TALK and not _is_written_so(word, known) for word in heard]
    whole = all(word.text.strip()[-1:] not in set(".,;:!?") for word in span[:-1])
    doubted = any(word.probability < DOUBTFUL and is_own for word, is_own in zip(span, own, strict=True))
    return whole and doubted and own[0] and own[-1]


def _is_written_so(heard: str, known: dict[str, str]) -> bool:
    """Whether words are a term as it is written, but for capitals and what stands between its parts."""
    return _letters(heard) == _letters(known.get(_sound(heard), ""))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _best(span: Sequence[Word], known: dict[str, str]) -> Suggestion | None:
    heard = " ".join(word.text for word in span).strip(".,;:!?")
    sound = _sound(heard)
    if len(sound) < _SHORTEST_LETTERS or _is_written_so(heard, known):
        return None
    alike, key = max((SequenceMatcher(None, sound, key).ratio(), key) for key in known)
    # A word of its own within a term ("memory" in pin_memory) was meant as that word.
    within = sound in key and len(sound) < _NEARLY_ALL * len(key)
    if within or alike < (ALIKE_SHORT if len(key) <= _FEW_LETTERS else ALIKE):
        return None
    return Suggestion(heard=heard, meant=known[key], start=span[0].start, likeness=round(alike, 3))


def _sound(text: str) -> str:
    letters = _letters(text)
    for written, spoken in _SOUNDS:
        letters = letters.replace(written, spoken)
    return re.sub(r"(.)\1+", r"\1", letters)
