"""The parts of a turn that first adds to an earlier answer and then goes on with something else. Pure rules."""

from __future__ import annotations

import re

from interviewer.text import plain, sentences
from interviewer.understanding import question_references
from interviewer.understanding.correction_cues import mends_earlier
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import ahead, intent_of
from interviewer.understanding.stop_words import EMPTY, stems
from serving.frozen import FrozenModel

_ASIDE = frozenset(
    {Intent.ANSWER, Intent.CORRECTION, Intent.EARLIER, Intent.THINKING, Intent.CHECK, Intent.SAID_ALREADY}
)
"""What may still be a part of the addition."""

_ON = r"(?:(?:and|so|okay|ok|but|well|right|then|alright|all right|good)[, ]+)*"
_BACK = (
    r"(?:(?:(?:let me|let's|i(?:'ll| will)|i want to|i'd like to) (?:now )?)?"
    r"(?:(?:com(?:e|ing)|go(?:ing)?|get(?:ting)?|turn(?:ing)?|mov(?:e|ing)|switch(?:ing)?) )?(?:back|over"
    r"|on) (?:now )?to"
    r"|returning to|to (?:get|come|go) back to|to return to)"
)
_OF = r"(?:as (?:for|to)|to|for|on|about|regarding|concerning|with|in)"
_THIS = (
    r"(?:this (?:one|question|follow-?up|last point)|the (?:present|current|open|new|actual) (?:one|question)"
    r"|(?:your|the) (?:last |latest |current |present |open |new )?(?:question|follow-?up)(?: (?:now|at hand))?)"
)
_NAMED = rf"(?:{_THIS}|{question_references.QUESTION})"
_LEADS = re.compile(
    rf"\b{_ON}(?:now[, ]+(?:{_BACK} |{_OF} )?|{_BACK} )(?P<named>{_NAMED})\b[ ,:;.-]*"
    rf"|(?<=[.?!] ){_ON}(?:{_OF} |{_BACK} )(?P<other>{_NAMED})\b[ ,:;.-]*"
)
"""Goes on to a question by its name; the first form needs no new sentence, since recognized speech has few."""

_NOW = re.compile(rf"{_ON}now[, ]+(?:please[, ]+)?")
_ADD_IT = re.compile(r"(?:(?:can|could|would|will) you )?(?:please )?(?:add|count|note|put) (?:it|that|this)\b")
_SUBJECT = re.compile(
    rf"{_ON}(?:now[, ]+(?:{_OF} )?|{_OF} |{_BACK} )(?:the |your |my |that )?(?P<thing>[\w' -]{{2,40}}?)"
    r"(?:[,:;]| -|\.(?= ))"
    rf"|{_ON}(?:my|the) (?P<lost>[\w -]{{2,40}}?) (?:answer |reply |part )?(?:got|was|is|went|has been) (?:lost"
    rf"|missing|dropped)\b"
)
"""Goes on to a thing: "Now the bridges: …", "My bridge answer got lost."."""


class TurnParts(FrozenModel):
    """What a turn consists of.

    Attributes:
        earlier: the addition, with the words that lead over to the rest.
        present: what is said to the open question, or asked.

    """

    earlier: str
    present: str


def turn_parts(text: str, *, number: int = 0, about: str = "") -> TurnParts | None:
    """An addition to an earlier answer and what follows it; ``None`` where a turn is not both.

    Args:
        text: what was said.
        number: of the open question; 0 where none is open.
        about: what was asked last.

    """
    low = plain(text)
    if "```" in text or not mends_earlier(ahead(low)):
        return None
    place = min(filter(None, (_named(low, number), _begun(low, about))), default=None)
    words = [found.start() for found in re.finditer(r"\S+", text)]
    first = len(low[:place].split())
    if place is None or not 0 < first < len(words):
        return None
    return TurnParts(earlier=text[: words[first]].strip(), present=text[words[first] :].strip())


def addition_alone(text: str, *, number: int) -> str:
    """An addition without what follows it once the open question is gone back to by its name.

    Args:
        text: the addition and what follows it.
        number: of the open question.

    """
    place = _named(plain(text), number)
    return text if place is None else " ".join(text.split()[: len(plain(text)[:place].split())])


def _named(low: str, number: int) -> int | None:
    """Where the words begin that follow the naming of the open question."""
    for found in _LEADS.finditer(low):
        named = found["named"] or found["other"]
        reference = question_references.find_reference(named)
        others = reference is not None and reference.place is not question_references.Place.PRESENT
        if found.start() > 0 and (not others or (reference is not None and 0 < number == reference.number)):
            return found.end()
    return None


def _begun(low: str, about: str) -> int | None:
    """Where a sentence begins that asks for something, or goes on to what was asked last."""
    parts = sentences(low)
    wanted = stems(about, EMPTY)
    place = len(parts[0]) + 1
    for index, part in enumerate(parts[1:], start=1):
        lead = _NOW.match(part)
        rest = "" if _ADD_IT.match(part) else " ".join(parts[index:])
        if intent_of(_NOW.sub("", rest, count=1) if lead else rest) not in _ASIDE:
            return place + (lead.end() if lead else 0)
        thing = _SUBJECT.match(part)
        if thing is not None and stems(thing["thing"] or thing["lost"] or "", EMPTY) & wanted:
            return place
        place += len(part) + 1
    return None
