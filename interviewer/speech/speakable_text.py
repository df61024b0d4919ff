"""Text as it is said aloud: no code, no markup, no symbols. Pure."""

from __future__ import annotations

import re

from interviewer.speech.formula_verbalization import formulas_said

_FENCE = re.compile(r"(```|~~~).*?(\1|\Z)", re.DOTALL)
# No part of a pattern may run over the rest of a text from each place: documents hold a hundred thousand brackets.
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^)]{0,2000}\)")
_LINE_MARK = re.compile(r"^(?:[^\S\n]*+(?:#{1,6}\s++|>\s*+|[-*+•]\s++|\d++[.)]\s++))+", re.MULTILINE)

# Longest first, so that "==" is not read as two equals signs.
_SAID = (
    ("e.g.", "for example"),
    ("i.e.", "that is"),
    ("->", " to "),
    ("=>", " to "),
    ("==", " equals "),
    ("!=", " is not "),
    ("<=", " at most "),
    (">=", " at least "),
    ("**", " to the power of "),
    ("&&", " and "),
    ("&", " and "),
    ("||", " or "),
    ("=", " equals "),
    ("<", " less than "),
    (">", " greater than "),
    ("+", " plus "),
    ("%", " percent "),
    ("@", " at "),
    ("×", " times "),
    ("²", " squared "),
    ("≤", " at most "),
    ("≥", " at least "),
    ("≈", " about "),
    ("√", " the square root of "),
    ("/", " or "),
    ("()", ""),
    ("…", "."),
    ("—", ", "),
    ("–", ", "),
)
_KEPT = frozenset(" .,;:?!'’-")
_PER_SECOND = re.compile(r"(?<=[^\W\d_])/s(?:ec)?\b")
"""As in "450 GB/s"."""
_POWER = re.compile(r"(?<=\w)\*\*(?=\w)")
_EMPHASIS = re.compile(r"\*{1,3}|`+|~~")
_NAME_DOT = re.compile(r"(?<=\w)\.(?=[^\W\d])|(?<!\w)\.(?=[^\W\d])")
_NUMBER_DOT = re.compile(r"(?<=\d)\.(?=\d)")


def speakable(text: str) -> str:
    """The text on one line, as a person would say it.

    Code blocks are left to the screen, markup is dropped, common symbols become words, all others go. Text
    that can be said already comes back as it was, and doing this twice changes nothing more.

    """
    said = _said(text)
    while (again := _said(said)) != said:
        said = again
    return said


def readable(text: str) -> str:
    """The text on one line for the eye: no code blocks and no markup, names and formulas as they are written."""
    return " ".join(_TICKS.sub("", _EMPHASIZED.sub(r"\2", _text_alone(text))).split())


_EMPHASIZED = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?![\w*])")
"""Words between stars; those of a product or a power stand alone, or inside of a word."""

_TICKS = re.compile(r"`+|~~")


def _text_alone(text: str) -> str:
    """The text without code blocks, targets of links, and marks at the beginning of lines."""
    return _LINE_MARK.sub("", _LINK.sub(r"\1", _FENCE.sub(". ", text)))


def _said(text: str) -> str:
    had_code = _FENCE.search(text) is not None
    said = formulas_said(_PER_SECOND.sub(" per second", _text_alone(text)))
    said = _EMPHASIS.sub("", _POWER.sub(" to the power of ", said))
    for symbol, words in _SAID:
        said = said.replace(symbol, words)
    said = _NAME_DOT.sub(" dot ", _NUMBER_DOT.sub(" point ", said))
    said = re.sub(r"[()\[\]{}]", ", ", said)
    said = "".join(character if character.isalnum() or character in _KEPT else " " for character in said)
    said = _tidy(said)
    if had_code:
        said = f"{_sentence(said)} The code is on the screen.".strip()
    return said


def _tidy(said: str) -> str:
    said = " ".join(said.split())
    said = re.sub(r" +(?=[.,;:?!])", "", said)
    said = re.sub(r"(?<![,;:.\s])[,;:.\s]*([.?!:])[,;:.]*(?=\s|$)", r"\1", said)
    said = re.sub(r"(,\s*)+", ", ", said)
    said = re.sub(r"(?<=[.?!:])(?:\s*,)+", "", said)
    return said.strip(" ,;")


def _sentence(said: str) -> str:
    return said if not said or said[-1] in ".?!" else f"{said}."
