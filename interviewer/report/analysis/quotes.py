"""From offsets in the graded text to words in the answers it was joined from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interviewer.report.schema.question import Quote, QuoteRole
from interviewer.session.events import AnswerGiven
from rubric.model import Span

_OPENING_CHARACTERS = 200
_FILLER_WORDS = 7
_FILLER = re.compile(
    r"(?:ok(?:ay)?|so|well|hm+|um+|uh+|right|sure|yes|thanks?|thank you|good question|one moment|give me|let me)\b"
    r"(?:\W|(?:ok(?:ay)?|so|well|let me|think|see|start|me|a|for|about|that|this|it|moment|second|then|just)\b)*$",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?](?=\s)|\n")


class GradedText:
    """The text a grade's offsets count in, and where each answer lies in it.

    Args:
        text: ``AnswerGraded.graded_text``.
        answers: the answers given on the question, in order.

    """

    def __init__(self, text: str, answers: Sequence[AnswerGiven]) -> None:
        self._places: list[tuple[int, AnswerGiven]] = []
        cursor = 0
        for answer in answers:
            at = text.find(answer.text, cursor)
            if at < 0:
                break
            self._places.append((at, answer))
            cursor = at + len(answer.text)

    def quotes(self, spans: Iterable[Span]) -> tuple[Quote, ...]:
        """The words under the spans, in the order of the spans.

        A span over several answers gives one quotation for each; blank words and words outside of every
        answer (the joints between them) give none.
        """
        found = []
        for start, end in spans:
            for at, answer in self._places:
                quote = _cut(answer, start - at, end - at)
                if quote is not None:
                    found.append(quote)
        return tuple(found)


def opening(answer: AnswerGiven) -> Quote | None:
    """The first sentence of an answer that says something, at most 200 characters; ``None`` when it is blank.

    “Let me think.” says nothing, unless it is all there is.
    """
    text = answer.text
    start = first = len(text) - len(text.lstrip())
    while (end := _sentence_end(text, start)) < len(text.rstrip()) and _is_filler(text[start:end]):
        start = end
    if _is_filler(text[start:end]):
        start, end = first, _sentence_end(text, first)
    return _cut(answer, start, min(end, start + _OPENING_CHARACTERS), QuoteRole.OPENING)


def _sentence_end(text: str, start: int) -> int:
    sentence = _END.search(text, start)
    return sentence.end() if sentence else len(text)


def _is_filler(sentence: str) -> bool:
    return not sentence.strip() or (len(sentence.split()) <= _FILLER_WORDS and bool(_FILLER.match(sentence.strip())))


def reply(answer: AnswerGiven) -> Quote | None:
    """The first sentence of the answer to a follow-up; ``None`` when the answer is blank."""
    quote = opening(answer)
    return quote and quote.model_copy(update={"role": QuoteRole.REPLY})


def _cut(answer: AnswerGiven, start: int, end: int, role: QuoteRole = QuoteRole.EVIDENCE) -> Quote | None:
    start, end = max(start, 0), min(end, len(answer.text))
    words = answer.text[start:end] if start < end else ""
    if not words.strip():
        return None
    start += len(words) - len(words.lstrip())
    words = words.strip()
    return Quote(answer_id=answer.id, start=start, end=start + len(words), text=words, role=role)
