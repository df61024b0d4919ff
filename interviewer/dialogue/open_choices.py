"""What a question leaves to the person: an either-or, a number, an assumption, which story they tell. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.dialogue import templates
from interviewer.text import plain, sentences, wording
from interviewer.understanding.design_questions import assumes_otherwise
from interviewer.understanding.turn_requests import asks_which_rather


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


def or_more(words: str) -> bool:
    """Whether somebody asks if the one thing is enough, or another is wanted beside it."""
    return _OR_MORE.search(plain(words)) is not None and _ON_THE_ANSWER.search(plain(words)) is not None


_OR_MORE = re.compile(
    r"\b(?:just|only|strictly|simply)\b[^.?!]*\bor (?:should|shall|do|would|can|could|also|as well)\b"
    r"(?=[^.?!]*\b(?:also|too|as well)\b)[^.?!]*\?\W*$"
)
_ON_THE_ANSWER = re.compile(
    r"\byou(?:'re| are)? (?:\w+ )?(?:want|need|mean|after|asking|like|expect|interested|looking|count)\b"
    r"|\b(?:should|shall) i (?:also )?(?:say|explain|cover|derive|mention|show|describe|talk|go)\b"
)
_WHOLE = re.compile(
    r"\b(?:mean|about|want|asking|after|talking|only|just)\b(?P<one>[^.?!]*?),? or,? (?P<other>[^?]+)\?"
)
_BOTH = re.compile(r"\b(?:both|either|each|all|everything|something|anything)\b")


def left_open(words: str, turn: int, seed: int, *, numbers: bool = True) -> str:
    """The reply that fits what nothing settles; empty where it is neither an either-or nor a number that is asked for.

    Args:
        words: what the person asked.
        turn: how many such replies the question got already.
        seed: the plan's.
        numbers: whether a number may be for the person to choose, as in a design.

    """
    said = plain(words)
    choices: Sequence[str] = ()
    if assumes_otherwise(said):
        choices = templates.ASSUMED_WELL
    elif numbers and _NUMBER.search(said):
        choices = templates.TAKE_NUMBERS if _SEVERAL.search(said) else templates.TAKE_A_NUMBER
    elif choice(words) is not None:
        choices = templates.EITHER_FINE
    return wording(choices, seed, turn) if choices else ""


class Permission(NamedTuple):
    """A question whether a story of another kind will do.

    Attributes:
        made_up: of one that did not happen.

    """

    made_up: bool


def asks_permission(words: str) -> Permission | None:
    """Whether somebody who is to tell a story asks whether one of another kind will do; ``None`` where they do not.

    Args:
        words: what the person said.

    """
    last = sentences(plain(words))[-1]
    asks = _MAY_TELL.search(plain(words)) if "?" in words else _MAY_TELL_UNMARKED.match(last)
    if asks is None or len(words.split()) > _LONGEST_ASKING:
        return None
    return Permission(made_up=_MADE_UP.search(plain(words)) is not None)


_LONGEST_ASKING = 45
"""Words of the longest utterance that only asks whether another story will do."""

_PERMITS = (
    r"(?:(?:can|could|may|might|should|must) (?:i|it|this|that) (?:(?:also|even|just|maybe|perhaps|rather|only) )*"
    r"(?:tell|talk|speak|take|use|pick|choose|give|describe|be|come|make|invent)\b"
    r"|(?:do|does|must|should) (?:it|this|that|the \w+) (?:(?:have|need) to )?be\b"
    r"|is (?:it|that|this) (?:also |even )?(?:ok(?:ay)?|fine|all right|allowed|good|enough|possible)\b"
    r"|(?:would|will|does|do|is|are) (?:an? |the |my |some )?(?:[\w'-]+ ){1,8}?(?:also |too )?"
    r"(?:work|count|do|fit|qualify|ok(?:ay)?|fine|all right|allowed|suffice|be (?:ok(?:ay)?|fine|enough"
    r"|all right))\b)"
)
_MAY_TELL = re.compile(rf"(?:^|[\s,.;:?!]){_PERMITS}[^.!?]*\?[^?]*\?*$")
_MAY_TELL_UNMARKED = re.compile(
    r"(?:(?:and|so|but|um+|uh+m*|well|okay|or|hm+|sorry)[, ]+)*"
    r"(?:can|could|may|might) (?:it|this|that) (?:(?:also|even|just|maybe|perhaps) )*(?:be"
    r"|come) (?:[\w'-]+ ?){1,12}\W*$"
)
_MADE_UP = re.compile(r"\b(?:made[- ]up|make (?:\w+ )?up|invent\w*|hypothetical|imagin\w+|fictional)\b")


def on_a_story(words: str, *, begun: bool) -> Sequence[str]:
    """The replies to what is asked about a story that is to be told; empty where the question's text is to say."""
    if choice(words) is not None or asks_which_rather(words):
        return templates.EITHER_FINE if begun else templates.EITHER_STORY
    if _ANOTHER_STORY.search(words):
        return templates.SAME_OR_OTHER
    if permission := asks_permission(words):
        return templates.A_REAL_ONE if permission.made_up else templates.TELL_THAT
    return templates.ANY_SENSE if _SENSE.search(words) else ()


_ANOTHER_STORY = re.compile(
    r"\b(?:would you (?:rather|prefer|like)|do you want|should i (?:take|tell|use|pick|give))\b[^.?!]*"
    r"\b(?:different|another|new|other|same) (?:one|story|example|project|situation)\b[^.?!]*\?",
    re.IGNORECASE,
)
"""Asks whether another story than one told before is wanted."""
_SENSE = re.compile(r"\bwhat (?:exactly )?(?:do|did) you mean (?:by|with|when you)|\bwhat counts as\b", re.IGNORECASE)
"""Asks what a word of the question means."""
