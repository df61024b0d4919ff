"""A reference with marks around the sentences that make points. Pure."""

from __future__ import annotations

import re

from interviewer.report.phrases.common import introduced
from interviewer.report.schema.question import QuestionFinding

MADE, LACKING, END = "\ue000", "\ue001", "\ue002"
"""Characters of Unicode's private area that stand before and behind a marked sentence until the text is set."""

MARKS = re.compile(f"([{MADE}{LACKING}{END}])")
_MARKED = re.compile(f"([{MADE}{LACKING}])(.*?){END}", re.DOTALL)

_LONGEST = 20_000
"""Characters of a reference that is marked; longer ones are set as plain text."""


def marked(question: QuestionFinding) -> str:
    """The reference of a question, as Markdown, with ``MADE`` or ``LACKING`` and ``END`` around what makes points.

    None of these characters comes from the reference itself.
    """
    text = question.reference
    if MARKS.search(text) or len(text) > _LONGEST:
        return introduced(MARKS.sub("", text))
    for sentence in reversed(question.reference_sentences):
        start, end = sentence.start, sentence.end
        text = f"{text[:start]}{MADE if sentence.made else LACKING}{text[start:end]}{END}{text[end:]}"
    return introduced(text)


def with_marks(text: str, *, made: tuple[str, str], lacking: tuple[str, str]) -> str:
    """A marked text, as it was set, with what stands before and behind sentences in the place of their marks."""

    def around(sentence: re.Match[str]) -> str:
        before, behind = made if sentence[1] == MADE else lacking
        return f"{before}{sentence[2]}{behind}"

    return _MARKED.sub(around, text)
