"""Small functions on plain text: counts, percentages, times, lists, sentences, shortening."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from rubric.words import NUMBER_WORDS


def percent(score: float | None) -> str:
    """A score out of 100, or a dash where there is none."""
    return "–" if score is None else str(round(100 * score))


def listed(names: tuple[str, ...]) -> str:
    """Names in a sentence: one, one and another."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def capitalized(text: str) -> str:
    """The text with a capital letter at its beginning; the rest stays as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def in_words(number: int) -> str:
    """A number as it is said: in words up to twelve."""
    words = ("no", *NUMBER_WORDS[1:13])
    return words[number] if number < len(words) else str(number)


def as_sentence(words: str) -> str:
    """The words as a sentence: begun with a capital letter, and ended."""
    bare = capitalized(words.rstrip(" ,;:"))
    return bare if bare.endswith((".", "?", "!")) else f"{bare}."


def plain(text: str) -> str:
    """The text as rules on words read it: in lower case, with straight apostrophes, and single blanks between words."""
    return " ".join(text.lower().replace("’", "'").split())


def wording(choices: Sequence[str], seed: int, turn: int) -> str:
    """One of several wordings of the same: another one each turn, and beginning elsewhere for another seed."""
    return choices[(seed + turn) % len(choices)]


def sentences(text: str) -> list[str]:
    """The pieces of what somebody said, each ending in a full stop, a question mark, or an exclamation mark."""
    return _SENTENCE_END.split(text)


_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


def last_apart(text: str) -> tuple[str, str]:
    """What stands before the last sentence, and that sentence."""
    last = sentences(text)[-1]
    return text[: -len(last)].strip(), last


def shortened(text: str, most: int = 400) -> str:
    """The text, its middle left out between two words when it is longer than ``most`` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    begin, end = text[:half], text[-half:]
    if not text[half].isspace():
        begin = begin.rsplit(maxsplit=1)[0] if len(begin.split()) > 1 else begin
    if not text[-half - 1].isspace():
        end = end.split(maxsplit=1)[1] if len(end.split()) > 1 else end
    return f"{begin.rstrip()} […] {end.lstrip()}"


_VISIBLE = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_VISIBLE |= {0x7F: 0x2421} | dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF], 0xFFFD)


def visible(text: str) -> str:
    """The text with line ends made newlines and control characters made visible, since pages may not hold them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_VISIBLE)


def count(number: int, thing: str) -> str:
    """A number of things in words, singular or plural."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def clock(at: datetime) -> str:
    """The time of day, by the twelve-hour clock."""
    return f"{at.hour % 12 or 12}:{at:%M} {'AM' if at.hour < 12 else 'PM'}"


def day(at: datetime) -> str:
    """A date, short."""
    return f"{at:%b} {at.day}, {at.year}"


_SHORTEST_PIECE = 4


def in_pieces(said: str) -> str:
    """The same words in shorter sentences, cut at commas and colons where enough words stand on either side."""
    pieces: list[str] = []
    for sentence in _quoted_sentences(said):
        open_piece: list[str] = []
        parts = re.split(r"(?<=[,;:])\s+", sentence)
        for number, part in enumerate(parts):
            open_piece += part.split()
            rest = sum(len(other.split()) for other in parts[number + 1 :])
            if len(open_piece) >= _SHORTEST_PIECE and (rest >= _SHORTEST_PIECE or not rest):
                pieces.append(as_sentence(" ".join(open_piece)))
                open_piece = []
        if open_piece:
            pieces.append(as_sentence(" ".join(open_piece)))
    return " ".join(pieces)


def _quoted_sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.?!])\s+|(?<=[.?!]”)\s+", text.strip()) if sentence]
