"""Which words of an answer come nearest to each point: what a follow-up takes up, and what is not asked for again."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from interviewer.dialogue.quotation import clause
from interviewer.engine.claim_reader import ClaimReader
from interviewer.policy.answer_stages import told_on
from interviewer.policy.follow_ups import COMES_NEAR
from interviewer.session.events import DoubtedClaim, NearestWords
from interviewer.text import sentences as split
from interviewer.understanding.clauses import clause_starts
from interviewer.understanding.request_head import RequestHead
from knowledge.model import Question
from rubric.grading.evidence import sentences, windows
from rubric.model import Criterion, CriterionVerdict, Grade, Span, Verdict
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError

_log = logging.getLogger(__name__)

_LAST = 3
"""Sentences of an answer in the making that may ask something."""


class AnswerReader:
    """Finds the nearest words.

    Args:
        encoder: best the one that the grade's signals are made with: it has read the same texts; without one nothing
            is found.
        claims: finds the statements that a point of the bank speaks against; may be left out.
        requests: reads what is said to the interviewer beside an answer; may be left out.

    """

    def __init__(
        self, encoder: Embedder | None, claims: ClaimReader | None = None, requests: RequestHead | None = None
    ) -> None:
        self._encoder, self._claims, self._requests = encoder, claims, requests

    def read_ahead(self, question: Question, text: str) -> None:
        """Has read of an answer in the making what its mark and the reply to it need besides, so that they come sooner.

        Args:
            question: what was asked, with its rubric.
            text: all that was said on it so far.

        """
        self.doubted(question, text)
        if self._requests is not None:
            for sentence in split(text)[-_LAST:]:
                self._requests.beside(sentence)

    def doubted(self, question: Question, text: str) -> tuple[DoubtedClaim, ...]:
        """The statements of an answer that a point of the bank speaks against, the surest first.

        Args:
            question: what was asked, with its rubric.
            text: all that was said on it.

        """
        return self._claims.doubted(question, text) if self._claims is not None else ()

    def opposing_words(self, question: Question, text: str, grade: Grade) -> dict[str, Span]:
        """Of each contradicted point the sentence that most surely says the opposite, where one does, by criterion id.

        Args:
            question: with its rubric.
            text: what was graded.
            grade: its marks.

        """
        points = {point.id: point for point in question.rubric.criteria} if question.rubric else {}
        wrong = [each.id for each in grade.criteria if each.verdict is Verdict.CONTRADICTED and each.id in points]
        claims = self._claims
        found = {name: claims.opposing(question, points[name], text) for name in wrong} if claims is not None else {}
        return {name: span for name, span in found.items() if span is not None}

    def nearest(
        self, question: Question, text: str, grade: Grade | None = None, opposing: Mapping[str, Span] | None = None
    ) -> tuple[NearestWords, ...]:
        """The nearest words to each criterion; none where the encoder is missing.

        Args:
            question: with its rubric.
            text: all that was said on it.
            grade: its marks: of a contradicted point the words nearest to its opposite are looked for. Nothing is
                found where none of them was given: an answer may be too long to be read. ``None`` while they are still
                to come.
            opposing: of contradicted points the sentences that say the opposite (``opposing_words``).

        """
        if self._encoder is None or question.rubric is None or not sentences(text):
            return ()
        if grade is not None and all(verdict.credit is None for verdict in grade.criteria):
            return ()
        verdicts = {verdict.id: verdict for verdict in grade.criteria} if grade else {}
        try:
            found = [
                _closest(self._encoder, criterion, verdicts.get(criterion.id), text)
                for criterion in question.rubric.criteria
                if grade is None or criterion.id in verdicts
            ]
            # Read as one batch; each of them then finds its own remembered.
            self._encoder.embed([quote for each in found for _, quote in each.quotes])
            words = [_from_clause(self._encoder, each) for each in found]
            return tuple(
                each.model_copy(update={"span": opposing[each.criterion_id], "lead": 2.0})
                if opposing and each.criterion_id in opposing
                else each
                for each in words
            )
        except InterviewerError as error:
            _log.warning("an answer could not be held against its follow-ups: %s", error)
        except Exception:  # noqa: BLE001 - a card that is full, say: the mark is there already and must not be lost
            _log.exception("holding an answer against its follow-ups broke")
        return ()

    def points_in(self, question: Question, text: str) -> frozenset[str] | None:
        """Ids of the criteria that some words of a text come near to, or whose stage of a story it tells.

        Args:
            question: with its rubric.
            text: what was said on it; may be empty.

        Returns:
            ``None`` where it cannot be known: there is no encoder, or it fails.

        """
        points = question.rubric.criteria if question.rubric else ()
        if self._encoder is None:
            return None
        if not sentences(text):
            return frozenset()
        try:
            return frozenset(
                point.id
                for point in points
                if told_on(question.kind, point, text) or _comes_near(self._encoder, point, text)
            )
        except InterviewerError as error:
            _log.warning("an answer could not be held against its points: %s", error)
            return None


def _statements(criterion: Criterion) -> list[str]:
    """The point, and what makes it in other words."""
    return [criterion.text, *criterion.examples.met]


def _comes_near(encoder: Embedder, criterion: Criterion, text: str) -> bool:
    points = encoder.embed(_statements(criterion))
    return float(_likenesses(encoder, points, text, sentences(text)).max()) >= COMES_NEAR


def _likenesses(encoder: Embedder, points: FloatArray, text: str, spans: Sequence[Span]) -> FloatArray:
    """How near each piece of a text comes to the nearest of some statements: its sentences first, then runs of them.

    Args:
        encoder: reads the pieces.
        points: the statements' vectors, [statements, dim].
        text: what was said.
        spans: its sentences.

    """
    near: FloatArray = (encoder.embed([text[a:b] for a, b in windows(spans)]) @ points.T).max(axis=1)
    return near


class _Closest(NamedTuple):
    """The sentence of an answer that comes nearest to a point.

    Attributes:
        criterion: the point.
        span: the sentence.
        quotes: what can be quoted of it, from each clause on, and where that begins in the answer.
        points: vectors of what makes the point, [statements, dim].
        likeness: how near the nearest words come, which may be more than a sentence.
        lead: by how much the sentence is nearer than the second one.

    """

    criterion: Criterion
    span: Span
    quotes: list[tuple[int, str]]
    points: FloatArray
    likeness: float
    lead: float


def _closest(encoder: Embedder, criterion: Criterion, verdict: CriterionVerdict | None, text: str) -> _Closest:
    spans = sentences(text)
    contradicted = verdict is not None and verdict.verdict is Verdict.CONTRADICTED
    opposite = contradicted and criterion.examples.contradicted
    points = encoder.embed(list(criterion.examples.contradicted) if opposite else _statements(criterion))
    alike = _likenesses(encoder, points, text, spans)
    single = alike[: len(spans)]
    start, end = spans[int(single.argmax())]
    second, first = np.sort(single)[-2:] if len(spans) > 1 else (-1.0, 1.0)
    quotes = [(place, said) for place in clause_starts(text, (start, end)) if (said := clause(text[place:end]))]
    return _Closest(criterion, (start, end), quotes, points, float(alike.max()), float(first - second))


def _from_clause(encoder: Embedder, found: _Closest) -> NearestWords:
    """The words from the clause that comes nearest."""
    start, end = found.span
    if found.quotes:
        near = encoder.embed([quote for _, quote in found.quotes]) @ found.points.T
        start, _ = found.quotes[int(near.max(axis=1).argmax())]
    return NearestWords(
        criterion_id=found.criterion.id,
        span=(start, end),
        likeness=round(found.likeness, 3),
        lead=round(found.lead, 3),
    )
