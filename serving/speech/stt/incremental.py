"""A recording that still grows: what of it is settled, and is not recognized again when more comes. Pure.

It is cut in pauses, best after a full stop, and only where the person has gone on long enough since: Whisper writes
better with what follows a word at hand, and each cut takes the words behind it from those before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from serving.speech.stt.transcript import Transcript, Word

PAUSE_S = 0.5
"""Seconds of the shortest pause in which it is cut, unless no such pause comes for long."""

SENTENCE_S = 5.0
"""Seconds of the shortest piece that ends with a full stop."""

PIECE_S = 12.0
"""Seconds from which a piece may end in any pause."""

LONGEST_S = 20.0
"""Seconds from which a piece may end wherever the voice is silent at all; Whisper reads half a minute at a time."""

AFTER_S = 4.0
"""Seconds that must have been said behind a cut."""

LANGUAGE_S = 5.0
"""Seconds of talk after which the language is known."""

_UNHEARD_S = 0.25
_UNSURE_S = 1.0
_UNWRITTEN_S = 1.5

NOTHING_YET = Transcript(text="", duration=0.0)
"""What is known of a recording that has just begun."""

Stretches = Sequence[tuple[float, float]]


def moved(stretches: Stretches, by: float) -> tuple[tuple[float, float], ...]:
    """Stretches of a part of a recording, with their places in the whole of it."""
    return tuple((start + by, end + by) for start, end in stretches)


def says_more(before: Transcript, stretches: Stretches) -> bool:
    """Whether anything is said in a recording that was not said when it was shorter.

    Args:
        before: as it was recognized then.
        stretches: where somebody speaks behind what is settled, as (start, end) in seconds.

    """
    return bool(stretches) and stretches[-1][1] > before.duration - _UNHEARD_S


def loses(before: Transcript, words: Sequence[Word]) -> bool:
    """Whether words that were recognized already are not there any more: Whisper may leave out a whole sentence.

    Args:
        before: as it was recognized when it was shorter.
        words: those behind what was settled then, as they are recognized now.

    """
    until = before.duration - _UNSURE_S
    had = sum(word.end < until for word in before.words[before.settled_words :])
    return sum(word.end < until for word in words) < had - max(3, had // 5)


def unwritten(words: Sequence[Word], stretches: Stretches) -> tuple[tuple[float, float], ...]:
    """Where somebody speaks for long and no word was written down: Whisper may leave out what was said.

    Args:
        words: in order.
        stretches: where somebody speaks, as (start, end) in seconds, in order.

    Returns:
        From the end of the word before to the end of the stretch of the word behind, whose time is often wrong too.

    """
    if not stretches:
        return ()
    begins = [stretches[0][0], *(word.end for word in words)]
    ends = [*(word.start for word in words), stretches[-1][1]]
    behind = [*(word.middle for word in words), stretches[-1][1]]
    return tuple(
        (begin, next((until for _, until in stretches if until >= middle), max(stretches[-1][1], middle)))
        for begin, end, middle in zip(begins, ends, behind, strict=True)
        if sum(max(0.0, min(end, until) - max(begin, since)) for since, until in stretches) > _UNWRITTEN_S
    )


def completed(words: Sequence[Word], found: Sequence[Word], piece: tuple[float, float]) -> tuple[Word, ...]:
    """The words with those of a piece that was read again, where that gave more of them.

    Args:
        words: in order.
        found: those of the piece, in order; what was read around it does not count.
        piece: its begin and end, in seconds.

    """
    begin, end = piece
    inside = tuple(word for word in found if begin <= word.middle <= end)
    before = tuple(word for word in words if word.middle < begin)
    behind = tuple(word for word in words if word.middle > end)
    more = len(before) + len(inside) + len(behind) > len(words)
    return (*before, *inside, *behind) if more else tuple(words)


def without_echoes(words: Iterable[Word]) -> Iterator[Word]:
    """The words without what Whisper writes of its prompt behind a sentence, such as "nd," after the last word.

    The prompt is a list with commas. Of 30 recordings read with one, 7 ended in such a word, all with a probability
    of .06 at most; the least sure word that was said had .12.
    """
    after_sentence = False
    for word in words:
        if after_sentence and word.probability < _ECHO and word.text.endswith(","):
            continue
        after_sentence = word.text.endswith((".", "?", "!"))
        yield word


_ECHO = 0.1
"""Probability below which such a word was not said."""


def is_english(heard: Transcript) -> bool:
    """Whether enough was said to be sure that it is English; then the language need not be asked about again."""
    return heard.language == "en" and sum(end - start for start, end in heard.voiced) >= LANGUAGE_S


def continued(before: Transcript, words: Sequence[Word], stretches: Stretches, duration: float) -> Transcript:
    """A recording that has grown: what was settled of it, and what was recognized behind that.

    Args:
        before: as it was recognized when it was shorter.
        words: those behind what is settled.
        stretches: where somebody speaks behind what is settled.
        duration: of the whole, in seconds.

    """
    every = (*before.words[: before.settled_words], *words)
    settled = tuple(stretch for stretch in before.voiced if stretch[1] <= before.settled)
    return before.model_copy(
        update={
            "text": " ".join(word.text for word in every),
            "words": every,
            "voiced": (*settled, *stretches),
            "duration": duration,
        }
    )


def settled(heard: Transcript) -> Transcript:
    """The same with as much of it settled as can be.

    In another language nothing is: that it is one may turn out wrong when more was said.
    """
    if heard.language != "en" or not heard.voiced:
        return heard
    cut, count = heard.settled, heard.settled_words
    for (_, before), (after, _) in pairwise(heard.voiced):
        middle = (before + after) / 2
        if before < cut or heard.voiced[-1][1] - middle < AFTER_S:
            continue
        until = _words_before(heard.words, middle, count)
        stops = until > count and heard.words[until - 1].text.endswith((".", "?", "!"))
        if _ends_piece(middle - cut, after - before, stops=stops):
            cut, count = middle, until
    return heard.model_copy(update={"settled": cut, "settled_words": count})


def _ends_piece(length: float, pause: float, *, stops: bool) -> bool:
    if pause < PAUSE_S:
        return length >= LONGEST_S
    return length >= (SENTENCE_S if stops else PIECE_S)


def _words_before(words: Sequence[Word], moment: float, known: int) -> int:
    """How many words lie before a pause."""
    return next(
        (place for place in range(known, len(words)) if words[place].middle > moment),
        len(words),
    )
