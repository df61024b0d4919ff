"""A reference with marks around the sentences that make points. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from interviewer.report.document_parser import parser
from interviewer.report.phrases.common import introduced
from interviewer.report.schema.question import QuestionFinding
from interviewer.text import visible

MADE, LACKING, END = "\ue000", "\ue001", "\ue002"
"""Characters of Unicode's private area that stand before and behind a marked sentence until the text is parsed."""

MADE_NAME, LACKING_NAME = "made", "lacking"
"""What the types of the tokens begin with that stand around a marked sentence, as in ``made_open``."""

_MARKS = re.compile(f"([{MADE}{LACKING}{END}])")
_QUOTED_MARKS = re.compile(r"%EE%80%8[0-2]")
"""The same within an address."""

_TAGS = {MADE: (MADE_NAME, "mark", {"class": "made"}), LACKING: (LACKING_NAME, "ins", {})}


def with_marks(question: QuestionFinding, *, made: tuple[str, str], lacking: tuple[str, str]) -> str:
    """The reference of a question, as Markdown, with these before and behind its sentences that make points."""
    text = question.reference
    for sentence in reversed(question.reference_sentences):
        start, end = sentence.start, sentence.end
        before, behind = made if sentence.made else lacking
        text = f"{text[:start]}{before}{text[start:end]}{behind}{text[end:]}"
    return introduced(text)


def marked_tokens(question: QuestionFinding) -> list[Token]:
    """The reference of a question, parsed, with tokens of their own around its sentences that make points."""
    tokens = parser().parse(visible(with_marks(question, made=(MADE, END), lacking=(LACKING, END))))
    set_marks(tokens)
    return tokens


def set_marks(tokens: Sequence[Token]) -> None:
    """Put tokens around marked sentences in the place of the characters, which are taken out wherever they stand.

    A mark begins and ends within its block. Where it crosses emphasis or a link it is closed before and opened again
    behind, so that whatever is made of the tokens is well formed.
    """
    for token in tokens:
        if token.children is not None:
            token.children = list(_with_tokens(token.children))
        _bare(token)


def _with_tokens(children: Sequence[Token]) -> Iterator[Token]:
    wanted = opened = ""
    for child in children:
        for piece in _MARKS.split(child.content) if child.type == "text" else [""]:
            if _MARKS.fullmatch(piece):
                wanted = "" if piece == END else piece
            elif piece or child.type != "text":
                within = "" if child.nesting else wanted
                yield from _between(opened, within)
                opened = within
                yield Token("text", "", 0, content=piece) if piece else _bare(child)
    yield from _between(opened, "")


def _between(opened: str, wanted: str) -> Iterator[Token]:
    """The tokens that close one mark and open the next, where they differ."""
    if opened == wanted:
        return
    if opened:
        name, tag, _ = _TAGS[opened]
        yield Token(f"{name}_close", tag, -1)
    if wanted:
        name, tag, attributes = _TAGS[wanted]
        yield Token(f"{name}_open", tag, 1, attrs=dict(attributes))


def _bare(token: Token) -> Token:
    """A token without the characters in its text and in what it refers to."""
    token.content = _MARKS.sub("", token.content)
    for name, value in token.attrs.items():
        if isinstance(value, str):
            token.attrs[name] = _QUOTED_MARKS.sub("", _MARKS.sub("", value))
    return token
