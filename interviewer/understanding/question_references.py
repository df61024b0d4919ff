"""How people name another question than the one that is open: by its number, its place, or by having left it. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from interviewer.text import plain
from rubric.words import NUMBER_WORDS
from serving.frozen import FrozenModel

NUMBERS = NUMBER_WORDS[1:13]
"""Numbers as they are said, from 1."""

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)})"
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)})"
_BEFORE = r"(?:previous|last|earlier|preceding)"
_LEAVING = (
    r"(?:skipped|passed(?: on)?|left(?: out| open| behind)?|missed|put aside|parked|postponed"
    r"|did(?:n't| not) (?:answer|finish|get to)|ran out of time (?:on|for|with))"
)

_NOT_ITS_SUBJECT = (
    r"(?:same|next|present|current|open|whole|last|previous|other|right|real|only|main|actual|original|big|hard|easy|new"
    r"|interview|follow|follow-up|bonus|trick|good|best|question|answer|is|was|of|to|in|on|and|or|for|one|two|that|this"
    r"|key|obvious|basic|simple|specific|exact|general|central|core|opening|unanswered|skipped|first|second|third|fourth"
    r"|fifth|sixth|seventh|eighth|earlier|preceding|begging|called|into)\b"
)
"""Words that tell which question is meant by no subject, or that none is."""

_OF_SUBJECT = rf"(?!{_NOT_ITS_SUBJECT})[a-z][\w-]+(?: (?!{_NOT_ITS_SUBJECT})[\w-]+)? question\b"
"""As in "the pipeline question"."""

SUBJECT_BEFORE = (
    rf"(?:about|on|regarding|concerning|back to) (?:the |that |those |my )?(?!{_NOT_ITS_SUBJECT})[a-z][\w-]*"
    r"(?: [\w-]+){0,4}? (?:from )?(?:before|earlier)\b"
)
"""As in "about the sequence parallelism before"."""

LEFT = (
    rf"(?:(?:the |that |my )?(?:{_ORDINAL} |{_BEFORE} )?(?:skipped|open|unanswered) (?:question|one)"
    rf"|(?:the |that )?(?:{_ORDINAL} |{_BEFORE} )?(?:question|one|part) (?:that |which )?"
    rf"(?:i|we)(?:'ve|'d| have| had)? (?:just )?{_LEAVING}(?: earlier| before| just)*)"
)
"""Matches the naming of a question by its having been left."""

QUESTION = (
    rf"(?:{LEFT}|(?:the|that) (?:question|one) (?:about|on|concerning|regarding) [^,.:;?!]{{2,40}}"
    rf"|(?:the |an? |that |my |your )?(?:{_ORDINAL}|{_BEFORE}) (?:question|one)"
    rf"|(?:the )?(?:question|one) (?:from )?(?:just )?(?:before|earlier)(?: this(?: one)?)?"
    rf"|(?:the )?(?:question|number) (?:number )?{_NUMBER}"
    rf"|(?:the|that) {_OF_SUBJECT})"
)
"""Matches the naming of another question."""

BY_NAME = (
    rf"(?:(?:the|that) {_OF_SUBJECT}|(?:the )?(?:question|number) (?:number )?{_NUMBER}"
    rf"|(?:the|that) question (?:about|on|concerning|regarding) [^,.:;?!]{{2,40}}|(?:the |your )?{_BEFORE} question)"
)
"""Matches the naming of another question that cannot be a part of the open one: "the second one" may be."""

ANSWER = rf"(?:(?:my|the) (?:{_ORDINAL}|previous|last|preceding) answer)"
"""Matches the naming of an answer to another question; an earlier one may be to the same."""


class Place(StrEnum):
    """How a question was named."""

    NUMBER = "number"
    PREVIOUS = "previous"
    LEFT = "left"
    SUBJECT = "subject"
    PRESENT = "present"


class QuestionReference(FrozenModel):
    """Which question is meant.

    Attributes:
        place: how it was named.
        number: its number in the interview, from 1; of one that was left, its number among those that were. 0 where
            none was told.

    """

    place: Place
    number: int = 0


def find_reference(text: str) -> QuestionReference | None:
    """The question that words name first; ``None`` where they name none."""
    said = plain(text)
    if left := re.search(LEFT, said):
        return QuestionReference(place=Place.LEFT, number=_number(left[0]))
    if (found := re.search(rf"{QUESTION}|{ANSWER}", said)) is not None:
        number = _number(found[0])
        subject = re.match(
            rf"(?:the|that) (?:(?:question|one) (?:about|on|concerning|regarding) |{_OF_SUBJECT})", found[0]
        )
        place = Place.SUBJECT if subject else Place.NUMBER if number else Place.PREVIOUS
        return QuestionReference(place=place, number=0 if subject else number)
    if re.search(SUBJECT_BEFORE, said):
        return QuestionReference(place=Place.SUBJECT)
    if re.search(r"\b(?:this|the present|the current|the open) (?:one|question)\b", said):
        return QuestionReference(place=Place.PRESENT)
    return None


_LOOSELY = re.compile(
    rf"\b(?:to|on|about|of|for|from) (?:the|that) ((?!{_NOT_ITS_SUBJECT})[a-z][\w-]*(?: [\w-]+){{0,2}}?)"
    r" (?:one|thing|problem|story|stuff|bit)\b"
)
_SUBJECTS = (
    re.compile(rf"\b(?:the|that) ((?!{_NOT_ITS_SUBJECT})[a-z][\w-]*(?: (?!{_NOT_ITS_SUBJECT})[\w-]+)?) question\b"),
    re.compile(r"\b(?:question|one) (?:about|on|concerning|regarding) ([^,.:;?!]{2,40})"),
    _LOOSELY,
)


def find_subject(text: str) -> QuestionReference | None:
    """The question that is named by "the speculative decoding one": only of somebody who surely names one."""
    return QuestionReference(place=Place.SUBJECT) if _LOOSELY.search(plain(text)) else None


def subject(text: str) -> str:
    """The words by which a question is named for its subject, as in "the dictionary question"; empty without any."""
    said = plain(text)
    found = (form.search(said) for form in _SUBJECTS)
    return next((match[1] for match in found if match), "")


def without_name(text: str) -> str:
    """The words, lower case, without the naming of another question."""
    return re.sub(rf"{QUESTION}|{ANSWER}", " ", plain(text), count=1)


def find_choice(text: str) -> QuestionReference | None:
    """The question that a reply to "which one?" names, where a bare number or place will do."""
    said = " ".join(re.sub(r"[^\w' ]", " ", text.lower().replace("’", "'")).split())
    bare = re.fullmatch(
        rf"(?:the |number |to |about |it was |i mean )*({_NUMBER}|{_ORDINAL})(?: please| of course)?", said
    )
    if bare is not None:
        return QuestionReference(place=Place.NUMBER, number=_number(bare[1]))
    if re.fullmatch(rf"(?:the )?(?:{_BEFORE}|one before|before)(?: please)?", said):
        return QuestionReference(place=Place.PREVIOUS)
    return find_reference(text)


def _number(said: str) -> int:
    """The number in the naming of a question; 0 where there is none. Its last "one" mostly stands for the question."""
    for word in said.split():
        if word.isdigit():
            return int(word)
        if word in _ORDINALS:
            return _ORDINALS.index(word) + 1
    numbers = re.search(rf"\b(?:question|number) (?:number )?({'|'.join(NUMBERS)})\b", said)
    if numbers is not None:
        return NUMBERS.index(numbers[1]) + 1
    return NUMBERS.index(said) + 1 if said in NUMBERS else 0
