"""How spoken names, numbers and symbols are rewritten (``interviewer.speech.inverse_normalization``). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from interviewer.speech.domain_lexicon import ACRONYMS, ALONE, ATTRIBUTES, KEYWORDS, MEMBERS, SAID, SPECIAL
from interviewer.speech.inverse_normalization import VALUES, number
from rubric.words import NUMBER_WORDS, TENS_WORDS

_DIGIT = "|".join(NUMBER_WORDS[:10]) + "|oh"
_SMALL = (
    rf"(?:(?:{'|'.join(TENS_WORDS)})(?:[\s-](?:{'|'.join(NUMBER_WORDS[1:10])}))?|{'|'.join(reversed(NUMBER_WORDS))})"
)
_NUMBER = rf"(?:\d+(?:\.\d+)?(?:e-\d+)?|{_SMALL})"
_MINUS = r"(?:minus|negative|[-−–])\s*"

# A full stop counts only where nothing like a sentence ends: "no.grad", "torch .no_grad".
_BETWEEN = r"(?:[\s_-]|\.(?=\w))*(?:underscore[\s_-]*)?"
_DOT = r"(?:\s+dot\s+|\s*\.(?=\w)|\s\.\s?(?=\w))"
_NO_STUDENT = r"(?!\s+(?:students?|schools?|programs?|courses?))"
_END = r"(?!\w)"
_NO_MEMBER = r"(?!\.\w)"


def _spoken(name: str) -> str:
    """A pattern for how a name is said: its parts one after the other, digits as words, short ones spelled."""
    ways = (re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", way) for way in (name, SAID.get(name, "")) if way)
    return f"(?:{'|'.join(_BETWEEN.join(_part(part) for part in parts) for parts in ways)})"


def _spelled(letters: str) -> str:
    return r"[\s.]+".join(letters)


def _part(part: str) -> str:
    if part.isdigit():
        words = {"1": "one", "2": "two", "3": "three", "4": "four", "8": "eight", "16": "sixteen"}
        words |= {"32": r"thirty[\s-]*two", "64": r"sixty[\s-]*four"}
        return f"(?:{part}|{words[part]})"
    if part in {"nn", "fn", "lr", "bf", "fp", "tf"} or (part.isupper() and len(part) > 1):
        return r"[\s.]*".join(part) + r"\.?"
    return part


_Replacement = str | Callable[[re.Match[str]], str]
_Rule = tuple[re.Pattern[str], _Replacement]


def _rule(pattern: str, replacement: _Replacement) -> _Rule:
    return re.compile(pattern, re.IGNORECASE), replacement


def _decimal(match: re.Match[str]) -> str:
    whole, digits = match.group("whole"), re.findall(r"\d|[a-z]+", match.group("digits").lower())
    return f"{number(whole) if whole else '0'}.{''.join(str(VALUES[d]) if d in VALUES else d for d in digits)}"


def _scientific(match: re.Match[str]) -> str:
    factor = match.groupdict().get("factor") or "1"
    return f"{number(factor)}e-{number(match.group('power'))}"


def _value(match: re.Match[str], name: str) -> str:
    said = match.group("value").lower()
    sign = "-" if match.group("sign") else ""
    return f"{name}={said.capitalize() if said in {'true', 'false', 'none'} else sign + number(said)}"


def _order(match: re.Match[str]) -> str:
    said = match.group("of").lower()
    for words, sign in (("one", "1"), (" squared", "^2"), (" cubed", "^3"), (" times ", " * ")):
        said = said.replace(words, sign)
    return f"O({said})"


def _member(namespace: str, name: str) -> _Rule:
    before = r"n\.?\s*n\.?" if namespace == "nn" else namespace
    return _rule(rf"(?<!\w){before}{_DOT}{_spoken(name)}{_NO_STUDENT}{_END}", f"{namespace}.{name}")


def _keyword(name: str) -> _Rule:
    pattern = (
        rf"(?<![\w.]){_spoken(name)}\s*(?:equals|equal to|set equal to|=)\s*"
        rf"(?P<sign>{_MINUS})?(?P<value>true|false|none|{_NUMBER}){_END}(?!\s*(?:and a half|times|of)\b)"
    )
    return _rule(pattern, lambda match: _value(match, name))


def _longest_first(names: tuple[str, ...]) -> list[str]:
    return sorted(names, key=len, reverse=True)


_STOP = (
    "the|an?|this|that|one|trailing|leading|single|double|and|or|is|means|with|by|of|character|suffix|prefix|dunder|from"
    "|every|dot|each"
)
RULES: list[_Rule] = [
    # Numbers
    _rule(rf"\b(?<!at )(?P<whole>{_NUMBER})\s+point\s+(?P<digits>(?:(?:{_DIGIT}|\d)\b[\s]*)+)(?<=\w)", _decimal),
    _rule(rf"(?<=\bof )(?P<whole>)point\s+(?P<digits>(?:(?:{_DIGIT}|\d)\b\s*)+)(?<=\w)", _decimal),
    _rule(
        rf"\b(?:(?P<factor>{_NUMBER})\s+times\s+)?(?:ten|10)\s+to\s+the\s+(?:power\s+(?:of\s+)?)?{_MINUS}"
        rf"(?P<power>{_NUMBER}){_END}",
        _scientific,
    ),
    _rule(rf"\b(?P<factor>{_NUMBER})\s*e\s*{_MINUS}(?P<power>{_NUMBER}){_END}", _scientific),
    _rule(
        rf"\b(?P<base>{_NUMBER})\s+to\s+the\s+power\s+(?:of\s+)?(?P<power>{_NUMBER}){_END}",
        lambda match: f"{number(match.group('base'))}^{number(match.group('power'))}",
    ),
    _rule(r"\b(?:big[\s-])?o of (?P<of>n log n|n squared|n cubed|n times m|log n|one|1|n)\b", _order),
    # Names
    *(_rule(rf"(?<!\w){_spelled(known)}(?P<many>s?)\b", rf"{known}\g<many>") for known in ACRONYMS),
    _rule(r"\bk[\s.]?v[\s-]cache", "KV cache"),
    _rule(
        rf"\b(?:dunder|(?:double|underscore)\s+underscore)\s+(?P<name>{'|'.join(map(_spoken, SPECIAL))})\b"
        r"(?:\s+(?:double|underscore)\s+underscore\b)?",
        lambda match: f"__{match.group('name').replace(' ', '').lower()}__",
    ),
    *(_member(space, name) for space, names in MEMBERS.items() for name in _longest_first(names)),
    *(_keyword(name) for name in _longest_first(KEYWORDS)),
    *(
        _rule(rf"\b(?!(?:{_STOP})\b)(?P<left>\w+){_DOT}{_spoken(name)}{_NO_STUDENT}{_END}", rf"\g<left>.{name}")
        for name in _longest_first(ATTRIBUTES)
    ),
    *(
        _rule(rf"(?<![\w]){_spoken(name)}{_NO_STUDENT}{_END}{_NO_MEMBER if name == 'NumPy' else ''}", name)
        for name in _longest_first(ALONE)
        if name[-1] != "_"
    ),
    _rule(
        rf"\b(?!(?:{_STOP})\b)(?P<left>\w+)\s+underscore\s+(?!(?:{_STOP}|means?)\b)(?P<right>\w+)\b",
        r"\g<left>_\g<right>",
    ),
]
"""Patterns with what is written instead, in the order in which they are applied."""
