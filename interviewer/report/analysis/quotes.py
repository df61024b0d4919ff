"""From offsets in the graded text to words in the answers it was joined from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interviewer.report.schema.question import Quote, QuoteRole
from interviewer.session.events import AnswerGiven
from interviewer.session.queries import Words
from interviewer.understanding.stop_words import stems
from rubric.model import Criterion, Span

_OPENING_CHARACTERS = 200
_COMMON, _SHARE = 3, 0.25
_FEW_COMMON, _LARGE_SHARE = 2, 1 / 3
"""Words that a quotation has in common with a statement of a point, and the share of the shorter one's words that they
are, from which it is near enough to be quoted for it. Set by reading all quotations of ten interviews: what falls below
mostly has nothing to do with its point; of stories, which share few words with theirs, some right ones fall below."""

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
        said: what was said on the question, in order (``interviewer.session.queries.graded_words``).

    """

    def __init__(self, text: str, said: Iterable[Words]) -> None:
        self._places: list[tuple[int, Words]] = []
        cursor = 0
        for words in said:
            at = text.find(words.text, cursor)
            if at < 0 and words.asks:
                continue
            if at < 0:
                break
            self._places.append((at, words))
            cursor = at + len(words.text)

    def quotes(self, spans: Iterable[Span]) -> tuple[Quote, ...]:
        """The words under the spans, in the order of the spans.

        A span over several answers gives one quotation for each; blank words and words outside of every
        answer (the joints between them) give none.
        """
        found = []
        for start, end in spans:
            for at, words in self._places:
                quote = _cut(words, start - at, end - at)
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


def _cut(answer: AnswerGiven | Words, start: int, end: int, role: QuoteRole = QuoteRole.EVIDENCE) -> Quote | None:
    start, end = max(start, 0), min(end, len(answer.text))
    words = answer.text[start:end] if start < end else ""
    if not words.strip():
        return None
    start += len(words) - len(words.lstrip())
    words = words.strip()
    return Quote(answer_id=answer.id, start=start, end=start + len(words), text=words, role=role)


def nearness(quote: str, point: Criterion) -> tuple[int, float]:
    """How near words come to a point or to one of its example statements; more is nearer.

    Returns:
        words in common with the point and with the statement that has most, and the largest share of the shorter one.

    """
    said, told = stems(quote), stems(point.text)
    statements = [told, *map(stems, (*point.examples.met, *point.examples.contradicted))]
    common = [len(said & each) for each in statements]
    shares = [number / max(1, min(len(said), len(each))) for number, each in zip(common, statements, strict=True)]
    return len(said & told) + max(common), max(shares)


def bears_on(quote: str, point: Criterion) -> bool:
    """Whether words are near enough to a point to be quoted for it.

    A point without example statements is too short to tell.
    """
    if not point.examples.met:
        return True
    said = stems(quote)
    for statement in map(stems, (point.text, *point.examples.met, *point.examples.contradicted)):
        common = len(said & statement)
        share = common / max(1, min(len(said), len(statement)))
        if (common >= _COMMON and share >= _SHARE) or (common >= _FEW_COMMON and share >= _LARGE_SHARE):
            return True
    return False


def carrying(quotes: Sequence[Quote], point: Criterion, *, sure: bool) -> tuple[Quote, ...]:
    """Those quotations that carry the verdict on a point, in their order.

    Where none is near enough, a sure mark keeps the nearest, since no mark stands without its evidence; one that the
    judge is unsure of gets none, since a quotation that has nothing to do with the point only confuses.
    """
    near = tuple(quote for quote in quotes if bears_on(quote.text, point))
    if near or not sure or not quotes:
        return near
    return (max(quotes, key=lambda quote: nearness(quote.text, point)),)


def overlap(one: Quote, other: Quote) -> bool:
    """Whether two quotations have words of an answer in common."""
    return one.answer_id == other.answer_id and one.start < other.end and other.start < one.end
