"""Statements of an answer that are doubted, whatever was asked.

A rubric marks what it asks for; what else an answer claims goes by it. So each sentence is held against the points
nearest to it: those of its own question, and of the questions that a search for it finds. The cross-encoder
says which of them it seems to oppose, which takes milliseconds, and the judge then reads each of these beside the
sentence alone. Either of them errs often where the other does not, so both have to say so
(docs/benchmarks/false-statements.md).
What no point speaks of is read by itself: the judge's states tell many false statements
(``rubric.grading.judges.claim_head``).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from cachetools import LRUCache

from interviewer.dialogue.quotable import is_clean
from interviewer.dialogue.quotation import excerpt
from interviewer.engine.ports import Library
from interviewer.session.events import TOLD_FROM, DoubtedClaim
from interviewer.understanding.clauses import clause_starts
from knowledge.model import Kind, Question
from rubric.grading.evidence import sentences
from rubric.grading.grader import Grader, GradeRequest
from rubric.grading.judges.claim_head import ClaimHead
from rubric.model import Criterion, Rubric, Span
from serving.encoders.cross_encoder import RELATIONS, CrossEncoder
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError

_log = logging.getLogger(__name__)

OPPOSED = 0.85
"""Probability, by the cross-encoder, that a sentence opposes a point, from which the judge reads it."""

DOUBTED = 0.9
"""Probability, by the judge, that a sentence says the opposite of a point, from which it is doubted."""

_NOT_KEPT = 1.7
"""Log-odds, by the head that reads a statement alone, from which nobody is praised for it, without a word on
it: three in four are right (docs/benchmarks/false-statements.md). From ``TOLD_FROM`` on it is told."""

_ASKED_ABOUT = 2.8
"""The same from which the person is asked about it: a right one costs a follow-up."""

_NEAR = 0.45
"""Likeness of a point to a sentence, by the searcher, from which the two speak of the same thing."""

_SEARCHED = 6
"""Questions that are searched for a sentence."""

_POINTS = 5
"""Points that a sentence is held against, at most."""

_FEWEST_WORDS, _MOST_WORDS = 6, 60
_FEWEST_ALONE = 10
"""Words of a statement that is read by itself: what is shorter hangs on what was said before it."""

_LONG = 18
"""Words from which a sentence is read clause by clause too: what is false in it is a small part of what it says."""

_LIKELIEST, _EVEN = 4, 0.5
"""Sentences that the judge reads to find the words that contradict a point, and its probability from which they do."""

_MOST_SENTENCES = 24
"""Sentences of an answer that are read, the last ones."""

_OPPOSITE = RELATIONS.index("opposite")

_REMEMBERED = 512
"""Sentences whose reading is remembered: an answer is graded again with every answer that follows it."""


class _Opposed(NamedTuple):
    """A point that a sentence says the opposite of, and how surely; no point where it seems false by itself."""

    question_id: str
    criterion: Criterion | None
    chance: float


class ClaimReader:
    """Finds such statements.

    Args:
        library: finds the questions near to a sentence.
        grader: the judge; it reads one sentence beside one point.
        searcher: the encoder that searches; without it nothing is found.
        cross_encoder: tells what a sentence may oppose, roughly; without it nothing is found.
        head: tells what seems false by itself; without it only what a point speaks against is doubted.

    """

    def __init__(
        self,
        library: Library,
        grader: Grader,
        searcher: Embedder | None,
        cross_encoder: CrossEncoder | None,
        head: ClaimHead | None = None,
    ) -> None:
        self._library, self._grader = library, grader
        self._searcher, self._cross_encoder, self._head = searcher, cross_encoder, head
        self._known: LRUCache[tuple[str, str], _Opposed | None] = LRUCache(_REMEMBERED)
        self._guard = threading.Lock()

    def doubted(self, question: Question, text: str) -> tuple[DoubtedClaim, ...]:
        """The doubted statements of an answer: first those that a point speaks against, each time the surest first.

        A story is not read: nobody contradicts facts by telling what they did. Nothing is found where the judge or an
        encoder fails: the mark must not be lost for it.

        Args:
            question: what was asked, with its rubric.
            text: all that was said on it.

        """
        if self._searcher is None or self._cross_encoder is None or question.kind is Kind.BEHAVIORAL:
            return ()
        try:
            pieces = [
                span
                for sentence in sentences(text)[-_MOST_SENTENCES:]
                for span in _pieces(text, sentence)
                if _may_be_false(text[slice(*span)])
            ]
            opposed = self._opposed(
                question, [text[slice(*span)] for span in pieces], self._searcher, self._cross_encoder
            )
            by_point = _one_each((span, each) for span, each in zip(pieces, opposed, strict=True) if each)
            taken = [span for span, _ in by_point]
            alone = _one_each(
                each for each in self._seeming_false(question, text, pieces) if not _overlap(each[0], taken)
            )
        except InterviewerError as error:
            _log.warning("the statements of an answer could not be read: %s", error)
            return ()
        except Exception:  # noqa: BLE001 - a card that is full, say
            _log.exception("reading the statements of an answer broke")
            return ()
        return tuple(
            DoubtedClaim(
                span=span,
                question_id=each.question_id,
                criterion_id=each.criterion.id if each.criterion else "",
                point=each.criterion.text if each.criterion else "",
                opposed=each.chance,
                quotable=is_clean(excerpt(text, span[0]))
                and (each.criterion is not None or each.chance >= _probability(_ASKED_ABOUT)),
            )
            for span, each in (*by_point, *alone)
        )

    def _seeming_false(self, question: Question, text: str, pieces: Sequence[Span]) -> list[tuple[Span, _Opposed]]:
        """The pieces that seem false by themselves."""
        spans = [span for span in pieces if len(text[slice(*span)].split()) >= _FEWEST_ALONE]
        if self._head is None or not spans:
            return []
        odds = self._head.doubts(question.text, [text[slice(*span)].strip() for span in spans])
        return [
            (span, _Opposed(question.id, None, _probability(each)))
            for span, each in zip(spans, odds, strict=True)
            if each >= _NOT_KEPT
        ]

    def seems_false(self, question: Question, statement: str) -> bool:
        """Whether a statement seems false by itself; not where the model cannot be asked.

        Args:
            question: what it was said on.
            statement: one sentence.

        """
        if self._head is None:
            return False
        try:
            return _probability(self._head.doubts(question.text, [statement])[0]) >= TOLD_FROM
        except InterviewerError as error:
            _log.warning("a statement could not be read: %s", error)
            return False

    def opposing(self, question: Question, point: Criterion, text: str) -> Span | None:
        """The sentence that most surely says the opposite of a point; ``None`` where the judge finds none.

        Of an answer that is held to contradict a point, it tells which words do: the sentences nearest to the point are
        as often those that make it.

        Args:
            question: what was asked.
            point: one that the answer is held to contradict.
            text: all that was said.

        """
        if self._cross_encoder is None:
            return None
        try:
            spans = sentences(text)[-_MOST_SENTENCES:]
            told = self._cross_encoder.read([(point.text, text[slice(*span)]) for span in spans])
            best, words = 0.0, None
            for place in np.argsort(-told[:, _OPPOSITE])[:_LIKELIEST]:
                chance = self._chance(question, point, text[slice(*spans[place])])
                if chance > best:
                    best, words = chance, spans[place]
                # The person waits, and a surer one hardly ever follows.
                if best >= DOUBTED:
                    break
        except InterviewerError as error:
            _log.warning("the words that contradict a point could not be found: %s", error)
            return None
        return words if best >= _EVEN else None

    def _opposed(
        self, question: Question, pieces: Sequence[str], searcher: Embedder, cross_encoder: CrossEncoder
    ) -> list[_Opposed | None]:
        """For each piece the point that it most surely says the opposite of, if there is one."""
        with self._guard:
            found = {said: self._known[question.id, said] for said in pieces if (question.id, said) in self._known}
        new = [said for said in dict.fromkeys(pieces) if said not in found]
        if new:
            # Read as one batch; the searches for each of them find their vectors remembered.
            searcher.embed(new)
        near = [(said, asked, point) for said in new for asked, point in self._near(question, said, searcher)]
        told = np.exp(cross_encoder.read([(point.text, said) for said, _, point in near]))[:, _OPPOSITE]
        for said in new:
            read = (
                _Opposed(asked.id, point, self._chance(asked, point, said))
                for (of, asked, point), chance in zip(near, told, strict=True)
                if of == said and chance >= OPPOSED
            )
            sure = (each for each in read if each.chance >= DOUBTED)
            found[said] = max(sure, key=lambda each: each.chance, default=None)
            # At once: where the judge fails at a later one, this one need not be read again.
            with self._guard:
                self._known[question.id, said] = found[said]
        return [found[said] for said in pieces]

    def _near(self, question: Question, said: str, searcher: Embedder) -> Iterator[tuple[Question, Criterion]]:
        """The points that speak of the same thing as a sentence, the nearest first."""
        hits = (hit.question for hit in self._library.search(said, _SEARCHED))
        others = (other for other in hits if other.kind is not Kind.BEHAVIORAL and other.id != question.id)
        points = [
            (each, point) for each in (question, *others) for point in (each.rubric.criteria if each.rubric else ())
        ]
        alike = searcher.embed([point.text for _, point in points]) @ searcher.embed([said])[0]
        for place in np.argsort(-alike)[:_POINTS]:
            if alike[place] >= _NEAR:
                yield points[int(place)]

    def _chance(self, question: Question, point: Criterion, said: str) -> float:
        """The judge's probability that a sentence says the opposite of a point."""
        rubric = Rubric(criteria=(point,), origin=question.rubric.origin if question.rubric else "given")
        (verdict,) = self._grader.grade(GradeRequest(question=question.text, answer=said, rubric=rubric)).criteria
        return verdict.contradicted or 0.0


def _probability(odds: float) -> float:
    """That log-odds stand for."""
    return float(1 / (1 + np.exp(-odds)))


def _may_be_false(said: str) -> bool:
    """Whether words are a statement that is neither too short to be wrong nor too long to be read at once."""
    return _FEWEST_WORDS <= len(said.split()) <= _MOST_WORDS and not said.rstrip().endswith("?")


def _overlap(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _pieces(text: str, sentence: Span) -> list[Span]:
    """A sentence, and of a long one its clauses."""
    start, end = sentence
    if len(text[start:end].split()) < _LONG:
        return [sentence]
    return [sentence, *pairwise([*clause_starts(text, sentence), end])]


def _one_each(found: Iterable[tuple[Span, _Opposed]]) -> list[tuple[Span, _Opposed]]:
    """Of pieces that lie in each other, the surest."""
    kept: list[tuple[Span, _Opposed]] = []
    for span, each in sorted(found, key=lambda pair: -pair[1].chance):
        if not _overlap(span, (other for other, _ in kept)):
            kept.append((span, each))
    return kept
