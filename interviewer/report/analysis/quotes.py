"""From offsets in the graded text to words in the answers it was joined from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interviewer.policy.follow_ups import CLAIM_ID
from interviewer.report.schema.question import Quote, QuoteRole
from interviewer.scoring.claiming import claiming
from interviewer.scoring.withdrawn import taken_back_by
from interviewer.session.events import AnswerGiven
from interviewer.session.queries import Words, graded_words
from interviewer.session.state import AskedQuestion
from interviewer.understanding.stop_words import stems
from rubric.grading.evidence import sentences
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
    r"(?:\W|(?:ok(?:ay)?|so|well|let me|think|see|start|me|a|bit|for|about|that|this|it|moment|minute|second|then"
    r"|just)\b)*$",
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
    """The first sentence of an answer that says something, at most 200 characters; ``None`` where nothing is said.

    “Let me think.” says nothing, unless it is all there is. Who only asks back, or remarks on what was asked, has said
    nothing either.
    """
    pieces = _pieces(answer.text)
    told = _telling(answer.text, pieces)
    if not told and all(_is_filler(answer.text[start:end]) for start, end in pieces):
        told = pieces
    return _begun(answer, told, QuoteRole.OPENING)


def reply(answer: AnswerGiven) -> Quote | None:
    """The first sentence of the answer to a follow-up that says something; ``None`` where none does."""
    return _begun(answer, _telling(answer.text, _pieces(answer.text)), QuoteRole.REPLY)


def _begun(answer: AnswerGiven, told: Sequence[Span], role: QuoteRole) -> Quote | None:
    if not told:
        return None
    start, end = told[0]
    # "Two things, actually." only announces what is said.
    if role is QuoteRole.REPLY and len(answer.text[start:end].split()) < _SAYS_IT and len(told) > 1:
        end = told[1][1]
    return _cut(answer, start, min(end, start + _OPENING_CHARACTERS), role)


_SAYS_IT = 4
"""Words of a sentence that may stand alone for the whole of a reply."""


def _pieces(text: str) -> list[Span]:
    """The sentences of an answer, blank ones left out."""
    start, found = len(text) - len(text.lstrip()), []
    while start < len(text.rstrip()):
        end = _sentence_end(text, start)
        found += [(start, end)] if text[start:end].strip() else []
        start = end
    return found


def _telling(text: str, pieces: Sequence[Span]) -> list[Span]:
    """Those sentences of an answer that say something on the subject."""
    claims = claiming([text[start:end].strip() for start, end in pieces])
    return [
        (start, end)
        for (start, end), claimed in zip(pieces, claims, strict=True)
        if claimed and not _is_filler(text[start:end])
    ]


def claims_something(quote: str) -> bool:
    """Whether words say something on the subject, and do not only ask back or remark on what was asked."""
    return bool(_telling(quote, sentences(quote)))


def _sentence_end(text: str, start: int) -> int:
    sentence = _END.search(text, start)
    return sentence.end() if sentence else len(text)


def _is_filler(sentence: str) -> bool:
    return not sentence.strip() or (len(sentence.split()) <= _FILLER_WORDS and bool(_FILLER.match(sentence.strip())))


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


def shows(quote: str, point: Criterion, *, proven: bool) -> bool:
    """Whether words are so near to a point that somebody may be praised with them for it.

    Where code proves the point, no judge chose the words: two that they have in common with it are often said of
    something else. A point without example statements is too short to tell.
    """
    if not claims_something(quote) or not bears_on(quote, point):
        return False
    said = {stem for stem in stems(quote) if len(stem) > 1}
    statements = (point.text, *point.examples.met)
    return not (proven and point.examples.met) or any(len(said & stems(each)) >= _COMMON for each in statements)


def carrying(quotes: Sequence[Quote], point: Criterion, *, sure: bool) -> tuple[Quote, ...]:
    """Those quotations that carry the verdict on a point, in their order.

    A question back carries none. Where none is near enough, a sure mark keeps the nearest, since no mark stands without
    its evidence; one that the judge is unsure of gets none, since a quotation that has nothing to do with the point
    only confuses.
    """
    near = tuple(quote for quote in quotes if bears_on(quote.text, point) and claims_something(quote.text))
    if near or not sure or not quotes:
        return near
    return (max(quotes, key=lambda quote: nearness(quote.text, point)),)


def overlap(one: Quote, other: Quote) -> bool:
    """Whether two quotations have words of an answer in common."""
    return one.answer_id == other.answer_id and one.start < other.end and other.start < one.end


class Doubted(NamedTuple):
    """A statement that is doubted.

    Attributes:
        quote: its sentence.
        told: whether the person is told of it.

    """

    quote: Quote
    told: bool


def doubted_statements(asked: AskedQuestion) -> tuple[Doubted, ...]:
    """What was said and is doubted, the surest first, without what the person took back.

    Args:
        asked: the question; its last mark holds the statements.

    """
    if not asked.grades:
        return ()
    graded = asked.grades[-1]
    text, back = GradedText(graded.graded_text, graded_words(asked)), _taken_back(asked)
    return tuple(
        Doubted(quote, claim.told)
        for claim in graded.claims
        if not any(_quotes(ask, graded.graded_text[slice(*claim.span)]) for ask in back)
        for quote in text.quotes([_whole_sentence(graded.graded_text, claim.span)])
    )


def _quotes(ask: str, claim: str) -> bool:
    """Whether a follow-up is on a statement: it quotes the sentence, or a clause of it."""
    words = stems(claim)
    return len(words & stems(ask)) >= _OF_A_CLAIM * len(words)


_OF_A_CLAIM = 0.6


def _whole_sentence(text: str, span: Span) -> Span:
    """The sentence that a clause is of: alone it may not be understood."""
    return next(((start, end) for start, end in sentences(text) if start <= span[0] < end), span)


def _taken_back(asked: AskedQuestion) -> list[str]:
    """The follow-ups on a statement to which the person replied that it was wrong."""
    back = taken_back_by(asked, CLAIM_ID)
    replied_to = {answer.follow_up_id for answer in asked.answers if answer.id in back}
    return [event.said for event in asked.follow_ups if event.id in replied_to]
