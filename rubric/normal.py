"""A form of text in which the same words are equal however they were written or spoken.

``torch.no_grad()``, "torch no grad" and "Torch dot no underscore grad" are one, as are ``AllReduce``, ``all_reduce``
and "all reduce", "16" and "sixteen", "50 %" and "fifty percent". Case, punctuation, accents, invisible characters and
letters that only look Latin make no difference. Every token knows which characters of the original it stands for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from rubric.model import Span

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: value for value, word in enumerate(_UNITS)} | {word: 10 * at for at, word in enumerate(_TENS, start=2)}

_SYMBOLS = {"%": "percent", "=": "equals"}

_NEVER_MEANT = frozenset({"underscore", "dunder"})
"""Said for a character that is no word."""

_INVISIBLE = frozenset("\u115f\u1160\u180b\u180c\u180d\u180e\u3164\uffa0")
_APOSTROPHES = frozenset("'’ʼ＇")

_CYRILLIC = dict(zip("авеѕіјкмнорстухԁԛԝһӏ", "abesijkmhopctyxdqwhl", strict=True))
_GREEK = dict(zip("αβγεηικμνορτυχω", "abyenikuvoptuxw", strict=True))
_LOOKALIKES = _CYRILLIC | _GREEK


class Normal(NamedTuple):
    """A text in its normal form.

    Attributes:
        text: the tokens, lower case, one space between two.
        starts: for each token the first character of the original that it stands for.
        ends: for each token the character behind the last one.

    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens, as many as there are starts and ends."""
        return tuple(self.text.split())


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Char(NamedTuple):
    """A character of the normal form before case is dropped, and where it stood."""

    text: str
    at: int


def normal(text: str) -> Normal:
    """The normal form of a text, with the way back."""
    tokens = _numbered([token for run in _runs(text) for token in _words(run)])
    tokens = _meant(tokens)
    return Normal(
        " ".join(token.text for token in tokens),
        tuple(token.start for token in tokens),
        tuple(token.end for token in tokens),
    )


def find(needle: str, haystack: str | Normal) -> list[Span]:
    """Where a text says the same words as another, whether words are joined or apart.

    Args:
        needle: what is looked for; one without any word is found nowhere.
        haystack: where, as text or in its normal form.

    Returns:
        Characters of the original haystack, from the first to the last word of each match, in order; no two overlap.

    """
    sought = _joined(normal(needle).tokens)[0]
    where = haystack if isinstance(haystack, Normal) else normal(haystack)
    key, offsets = _joined(where.tokens)
    begins = {offset: at for at, offset in enumerate(offsets)}
    finishes = {offset + len(token): at for at, (offset, token) in enumerate(zip(offsets, where.tokens, strict=True))}
    result: list[Span] = []
    at = key.find(sought) if sought else -1
    while at >= 0:
        first, last = begins.get(at), finishes.get(at + len(sought))
        if first is None or last is None:
            at = key.find(sought, at + 1)
        else:
            result.append((where.starts[first], where.ends[last]))
            at = key.find(sought, at + len(sought))
    return result


def _joined(tokens: tuple[str, ...]) -> tuple[str, list[int]]:
    """The tokens without spaces, but for those between two numbers, and where each begins."""
    key = ""
    parts: list[str] = []
    offsets: list[int] = []
    size = 0
    for token in tokens:
        gap = " " if parts and key[-1:].isdigit() and token[0].isdigit() else ""
        offsets.append(size + len(gap))
        parts.append(gap + token)
        size += len(gap) + len(token)
        key = token
    return "".join(parts), offsets


def _runs(text: str) -> Iterator[list[_Char]]:
    """Letters and digits that stand together, and symbols that are spoken, each alone."""
    run: list[_Char] = []
    for at, original in enumerate(text):
        plain = _plain(original)
        if plain is None:
            continue
        for char in plain:
            if char.isalnum():
                run.append(_Char(char, at))
            elif run and (char in _APOSTROPHES or _groups_digits(char, text, at)):
                continue
            else:
                yield run
                run = [_Char(_SYMBOLS[char], at)] if char in _SYMBOLS else []
                yield run
                run = []
    yield run


def _plain(char: str) -> str | None:
    """A character decomposed and without accents; nothing where it is not seen."""
    if char in _INVISIBLE or unicodedata.category(char) == "Cf":
        return None
    found = unicodedata.normalize("NFKD", char)
    kept = "".join(c for c in found if unicodedata.category(c) not in {"Mn", "Me", "Cf"} and c not in _INVISIBLE)
    return kept or None


def _groups_digits(char: str, text: str, at: int) -> bool:
    """Whether a comma stands between thousands: "1,000"."""
    return char == "," and text[at - 1].isdigit() and bool(re.match(r",\d{3}(?!\d)", text[at : at + 5]))


def _words(run: list[_Char]) -> Iterator[_Token]:
    """A run cut where CamelCase or a digit begins a new word."""
    if len(run) == 1 and len(run[0].text) > 1:
        yield _Token(run[0].text, run[0].at, run[0].at + 1)
        return
    run = _latin(run)
    begin = 0
    for at in range(1, len(run) + 1):
        if at == len(run) or _breaks(run, at):
            piece = run[begin:at]
            text = "".join(char.text for char in piece).casefold()
            text = "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalnum())
            if text:
                yield _Token(text, piece[0].at, piece[-1].at + 1)
            begin = at


def _latin(run: list[_Char]) -> list[_Char]:
    """The run with letters that only look Latin made so; a Greek letter alone is named, as it is spoken."""
    letters = [char.text.lower() for char in run if char.text.isalpha()]
    foreign = [letter for letter in letters if not letter.isascii()]
    if not foreign:
        return run
    if len(letters) == 1 and (name := unicodedata.name(letters[0], "")).startswith("GREEK SMALL LETTER "):
        word = name.rsplit(" ", 1)[-1].lower().replace("lamda", "lambda")
        return [_Char(letter, char.at) for char in run for letter in (word if char.text.isalpha() else char.text)]
    mixed = any(letter.isascii() for letter in letters)
    if mixed or all(letter in _CYRILLIC for letter in letters):
        return [char._replace(text=_lookalike(char.text)) for char in run]
    return run


def _lookalike(letter: str) -> str:
    found = _LOOKALIKES.get(letter.lower(), letter)
    return found.upper() if letter.isupper() else found


def _breaks(run: list[_Char], at: int) -> bool:
    before, here = run[at - 1].text, run[at].text
    if before.isdigit() != here.isdigit():
        return True
    after = run[at + 1].text if at + 1 < len(run) else ""
    # The plural of an abbreviation ("GPUs") is one word with it.
    plural = after == "s" and (at + 2 == len(run) or not run[at + 2].text.islower())
    return here.isupper() and (before.islower() or (before.isupper() and after.islower() and not plural))


def _numbered(tokens: list[_Token]) -> list[_Token]:
    """The tokens with numbers in figures, "a hundred and twenty" as one token."""
    result: list[_Token] = []
    at = 0
    while at < len(tokens):
        value, used = _number([token.text for token in tokens[at : at + 9]])
        if used:
            result.append(_Token(str(value), tokens[at].start, tokens[at + used - 1].end))
        elif tokens[at].text.isdecimal():
            result.append(tokens[at]._replace(text=_figures(tokens[at].text)))
        else:
            result.append(tokens[at])
        at += used or 1
    return result


def _figures(digits: str) -> str:
    """Digits of any script as ASCII, without leading zeros."""
    return "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0") or "0"


def _number(words: list[str]) -> tuple[int, int]:
    """The number that words begin with, and how many words it takes; none where they begin with none."""
    # What may still be added to the part after the last "thousand": less than the room.
    total, part, used, room = 0, 0, 0, 1000
    for at, word in enumerate(words):
        value = _SMALL.get(word, -1)
        if 0 <= value < room and (value or not used):
            part, room = part + value, 10 if value >= 20 else 0
        elif word == "hundred" and (not used or 0 < part < 10):
            part, room = 100 * max(part, 1), 100
        elif word == "thousand" and not total and (not used or part):
            total, part, room = 1000 * max(part, 1), 0, 1000
        elif word == "and" and used and room >= 100 and words[at + 1 : at + 2] and words[at + 1] in _SMALL:
            continue
        else:
            break
        used = at + 1
    return total + part, used


def _meant(tokens: list[_Token]) -> list[_Token]:
    """The tokens without words that were said for a character: "dot grad", "no underscore grad", "zero point one"."""
    result: list[_Token] = []
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        said_for_character = (
            token.text in _NEVER_MEANT
            or (token.text == "dot" and after not in {"product", "products"})
            or (token.text == "point" and before.isdecimal() and after.isdecimal())
        )
        if not said_for_character:
            result.append(token)
    return result
