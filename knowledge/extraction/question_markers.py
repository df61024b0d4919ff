"""Marks of questions in the rows of a document: numbers, ``Q:``, bold type and headings.

A mark says only that a row may begin a question; ``knowledge.extraction.extractor`` decides which do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from knowledge.documents.rows import Row, Sort


class Style(Enum):
    """How a question is marked."""

    PREFIX = auto()
    """``Q1.``, ``Q:``, ``Question 3:``, plain, bold or as a heading."""
    HEADING = auto()
    NUMBER = auto()
    BOLD = auto()


class Mark(NamedTuple):
    """A row that may begin a question.

    Attributes:
        first: index of its row.
        after: index of the first row behind the question.
        style: how it is marked.
        number: its number, if it has one.
        text: the question without its mark.
        answer: the beginning of the answer where it stands on the question's own line.

    """

    first: int
    after: int
    style: Style
    number: int | None
    text: str
    answer: str = ""


_PREFIX = re.compile(
    r"(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:Q|Ques|Question)\.?\s*"
    r"(?:(?P<number>\d{1,3})\s*[.:)–—-]|[.:)]|(?P<bare>\d{1,3})(?=\s+[A-Z]))\s*(?P<text>\S.*)"
)
_NUMBER = re.compile(r"(?P<number>\d{1,3})[.)]\s+(?P<text>\S.*)")
_BOLD = re.compile(r"(\*\*|__)(?P<text>(?:(?!\1).)+)\1")
_BOLD_START = re.compile(r"(\*\*|__)(?P<mark>[^*_]{1,14}?)\1\s*")
_INLINE_ANSWER = re.compile(r"(?<=[?.!])\s+(?:A|Ans|Answer)\s*:\s+")
_ANSWER = re.compile(
    # Each part takes all that it can, for good: a row of blanks would else be shared among them in very many ways.
    r"(?:#++\s*+)?+(?:\*\*|__)?+\s*+(?:(?:sample|model|example|suggested|short|strong|good|expected|best|my)\s++)?+"
    r"(?:answer|ans|a)\s*+\d*+\.?+\s*+(?:\*\*|__)?+\s*+(?::|$)\s*+(?:\*\*|__)?+\s*+",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:what|why|how|when|where|which|who|whose|can|could|do|does|did|is|are|was|should|would|will|have|explain|"
    r"describe|compare|contrast|define|discuss|design|architect|implement|write|build|create|find|debug|fix|"
    r"optimi[sz]e|derive|prove|show|give|list|name|tell|share|walk|outline|given|suppose|imagine|sketch|estimate|"
    r"calculate|compute|identify|state|differentiate|distinguish|solve|code|profile|train|convert|reverse|refactor|"
    r"evaluate|propose|summari[sz]e|provide|illustrate|analy[sz]e|if|in|you)\b",
    re.IGNORECASE,
)


_TASK = re.compile(
    r"(?:explain|describe|compare|contrast|define|discuss|design|architect|implement|write|derive|prove|tell|share|walk|"
    r"outline|differentiate|distinguish|debug|estimate|propose|summari[sz]e|sketch)\b",
    re.IGNORECASE,
)


def is_answer_label(text: str) -> bool:
    """Whether a row only says that the answer follows, or says so first: ``A``, ``**Sample Answer:** …``."""
    return _ANSWER.match(text) is not None


def without_answer_label(text: str) -> str:
    """A row without ``A:`` or the like before it."""
    return _ANSWER.sub("", text, count=1) if is_answer_label(text) else text


def asks(text: str) -> bool:
    """Whether a text reads like a question or a task: a question mark at its end, or the first word asks."""
    plain = re.sub(r"[`*_]", "", text).strip()
    if plain.endswith("?"):
        return True
    # “Registers: fast, per thread” names a thing and explains it, whatever its first word.
    is_label = "?" not in plain and re.match(r"[^.!:]{1,60}:\s+\S", plain)
    return _ASKING.match(plain) is not None and len(plain.split()) >= 3 and not is_label


def marks(rows: Sequence[Row]) -> list[Mark]:
    """All marks, in order."""
    found = []
    for index, row in enumerate(rows):
        mark = _mark(rows, index, row)
        if mark is not None:
            found.append(mark)
    return _of_one_heading_level(found, rows)


def _mark(rows: Sequence[Row], index: int, row: Row) -> Mark | None:
    if row.sort not in {Sort.TEXT, Sort.ITEM, Sort.HEADING}:
        return None
    text, bold = _unbolded(row.text)
    if match := _PREFIX.fullmatch(text):
        number = match["number"] or match["bare"]
        question, answer = _split_answer(match["text"])
        mark = Mark(index, index + 1, Style.PREFIX, int(number) if number else None, _unbolded(question)[0], answer)
        mark = mark if bold or answer or row.sort is Sort.HEADING else _continued(rows, mark)
        return mark if asks(mark.text) or _answer_follows(rows, mark.after) or answer else None
    numbered = _NUMBER.fullmatch(text)
    number = numbered["number"] if numbered else None
    question, inner_bold = _unbolded(numbered["text"]) if numbered else (text, False)
    if row.sort is Sort.HEADING:
        wanted = asks(question) if number else question.endswith("?") or _TASK.match(question) is not None
        style = Style.HEADING
    elif numbered:
        if row.indent > 1 or (_in_tight_list(rows, index) and not bold):
            return None
        style = Style.NUMBER
        wanted = True
    else:
        style = Style.BOLD
        wanted = bold and question.endswith("?")
    if not wanted:
        return None
    mark = Mark(index, index + 1, style, int(number) if number else None, question)
    if style is Style.NUMBER and not (bold or inner_bold):
        mark = _continued(rows, mark)
    return mark if asks(mark.text) else None


def _split_answer(text: str) -> tuple[str, str]:
    parts = _INLINE_ANSWER.split(text, maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def _unbolded(text: str) -> tuple[str, bool]:
    """A row's text without bold type around all of it or around its mark, and whether all of it was bold."""
    stripped = text.strip()
    if match := _BOLD.fullmatch(stripped):
        return match["text"].strip(), True
    if match := _BOLD_START.match(stripped):
        mark = match["mark"].strip()
        if re.fullmatch(r"(?:(?:Q|Ques|Question)\s*+\d*+|\d{1,3})\s*+[.:)]", mark):
            return f"{mark} {stripped[match.end() :]}", False
    return stripped, False


def _answer_follows(rows: Sequence[Row], index: int) -> bool:
    following = next((row for row in rows[index:] if row.sort is not Sort.BLANK), None)
    return following is not None and following.sort is not Sort.CODE and is_answer_label(following.text)


def _in_tight_list(rows: Sequence[Row], index: int) -> bool:
    """Whether numbered items stand right above or below, so this is a list and not a question with an answer."""
    beside = [rows[i] for i in (index - 1, index + 1) if 0 <= i < len(rows)]
    return any(row.sort is Sort.ITEM and _NUMBER.match(row.text) for row in beside)


def _continued(rows: Sequence[Row], mark: Mark) -> Mark:
    """The mark with the second line of its question, if it has one."""
    ended = mark.text.rstrip("*_` ").endswith(("?", ".", "!", ":"))
    index = mark.after
    blank = index < len(rows) and rows[index].sort is Sort.BLANK
    index += blank
    if index >= len(rows) or rows[index].sort is not Sort.TEXT:
        return mark
    text = rows[index].text
    if is_answer_label(text) or _PREFIX.fullmatch(text):
        return mark
    goes_on = not ended and (text[0].islower() or (not blank and text.endswith("?")))
    asks_more = ended and not blank and text.endswith("?") and asks(text)
    if not (goes_on or asks_more):
        return mark
    return mark._replace(text=f"{mark.text} {text}", after=index + 1)


def _of_one_heading_level(found: Sequence[Mark], rows: Sequence[Row]) -> list[Mark]:
    """Drops headings with a question mark but those of the level that has most of them.

    Headings that set a task without a number or a question mark count beside two that have one.
    """
    sure = [mark for mark in found if mark.style is Style.HEADING and (mark.number or mark.text.endswith("?"))]
    levels = Counter(rows[mark.first].level for mark in sure)
    level, count = max(levels.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    others = [mark for mark in found if mark.style is not Style.HEADING]
    if count == 1 and len(others) + len(sure) > 1:
        level = 0
    kept = {mark.first for mark in (found if count > 1 else sure) if rows[mark.first].level == level}
    return [mark for mark in found if mark.style is not Style.HEADING or mark.first in kept]
