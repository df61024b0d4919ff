"""What is said to a question about the task that nothing settles: an either-or, a number, an assumption. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.dialogue import templates
from interviewer.text import plain, wording
from interviewer.understanding.design_questions import assumes_otherwise


class Choice(NamedTuple):
    """The two sides of an either-or question, in lower case."""

    one: str
    other: str


_CHOICE = re.compile(
    r"(?P<one>(?:[\w'%-]+ ){0,2}[\w'%-]+),? or (?!so\b|something\b|not\b|anything\b|similar\b"
    r"|whatever\b)(?P<other>[^ ?.!,;]+(?: [^ ?.!,;]+){0,3})"
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|large|big|fast|often|far|old|fresh|quick(?:ly)?|soon|late|high|strict|accurate)\b"
    r"|\bwhat(?:'s| is| are)? (?:\w+ ){0,4}?(?:number|size|rate|load|peak|latency|budget|target|traffic|volume"
    r"|length|range"
    r"|resolution|throughput|bandwidth|accuracy|sla|percentile)s?\b"
    r"|\b(?:give|tell|get|have) (?:me |us )?(?:some |any |the |a few )?(?:numbers|figures)\b"
)
_SEVERAL = re.compile(r"\bnumbers\b|\bfigures\b|,|\band\b|\?.*\?")


def choice(words: str) -> Choice | None:
    """The two sides between which somebody asks to choose; ``None`` where they put no choice.

    Args:
        words: what the person asked.

    """
    said = plain(words)
    asked = [part for part in re.split(r"(?<=[.!])\s", said) if "?" in part] or [said]
    found = _CHOICE.search(asked[-1])
    return Choice(found["one"], found["other"]) if found is not None else None


def tells_apart(one: frozenset[str], other: frozenset[str], told: frozenset[str]) -> bool:
    """Whether a statement is about one side of a choice and not about the other.

    Args:
        one: the stems of one side.
        other: those of the other.
        told: those of the statement.

    """
    return bool((one - other) & told) != bool((other - one) & told)


def whole(words: str) -> Choice | None:
    """The whole of both sides where somebody asks which of two things is meant, or whether only one of them is.

    Args:
        words: what the person asked.

    """
    found = _WHOLE.search(plain(words))
    return None if found is None or _BOTH.search(found[0]) else Choice(found["one"], found["other"])


def names_one(told: frozenset[str], one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether what was asked names one side of a choice, all of it, and nothing of the other.

    Args:
        told: the stems of what was asked.
        one: those of the choice's one side.
        other: those of the other.

    """
    return any(side and side <= told and rest and not rest & told for side, rest in ((one, other), (other, one)))


_WHOLE = re.compile(
    r"\b(?:mean|about|want|asking|after|talking|only|just)\b(?P<one>[^.?!]*?),? or,? (?P<other>[^?]+)\?"
)
_BOTH = re.compile(r"\b(?:both|either|each|all|everything|something|anything)\b")


def left_open(words: str, turn: int, seed: int) -> str:
    """The reply that fits what nothing settles; empty where it is neither an either-or nor a number that is asked for.

    Args:
        words: what the person asked.
        turn: how many such replies the question got already.
        seed: the plan's.

    """
    said = plain(words)
    choices: Sequence[str] = ()
    if assumes_otherwise(said):
        choices = templates.ASSUMED_WELL
    elif _NUMBER.search(said):
        choices = templates.TAKE_NUMBERS if _SEVERAL.search(said) else templates.TAKE_A_NUMBER
    elif choice(words) is not None:
        choices = templates.EITHER_FINE
    return wording(choices, seed, turn) if choices else ""
