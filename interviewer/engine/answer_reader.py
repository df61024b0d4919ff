"""Which words of an answer come nearest to each point: what a follow-up takes up, and what is not asked for again."""

from __future__ import annotations

import logging

from interviewer.dialogue.quotation import clause
from interviewer.session.events import NearestWords
from interviewer.understanding.clauses import clause_starts
from knowledge.model import Question
from rubric.grading.evidence import sentences, windows
from rubric.model import Criterion, CriterionVerdict, Grade, Verdict
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError

_log = logging.getLogger(__name__)


class AnswerReader:
    """Finds the nearest words.

    Args:
        encoder: best the one that the grade's signals are made with: it has read the same texts; without one nothing
            is found.

    """

    def __init__(self, encoder: Embedder | None) -> None:
        self._encoder = encoder

    def nearest(self, question: Question, text: str, grade: Grade) -> tuple[NearestWords, ...]:
        """The nearest words to each criterion; none where the encoder is missing.

        Args:
            question: with its rubric.
            text: all that was said on it.
            grade: its marks: of a contradicted point the words nearest to its opposite are looked for. Nothing is
                found where none of them was given: an answer may be too long to be read.

        """
        if self._encoder is None or question.rubric is None or not sentences(text):
            return ()
        if all(verdict.credit is None for verdict in grade.criteria):
            return ()
        try:
            return tuple(
                _nearest(self._encoder, criterion, verdict, text)
                for criterion in question.rubric.criteria
                for verdict in grade.criteria
                if verdict.id == criterion.id
            )
        except InterviewerError as error:
            _log.warning("an answer could not be held against its follow-ups: %s", error)
        except Exception:  # noqa: BLE001 - a card that is full, say: the mark is there already and must not be lost
            _log.exception("holding an answer against its follow-ups broke")
        return ()


def _nearest(encoder: Embedder, criterion: Criterion, verdict: CriterionVerdict, text: str) -> NearestWords:
    spans = sentences(text)
    opposite = verdict.verdict is Verdict.CONTRADICTED and criterion.examples.contradicted
    wanted = list(criterion.examples.contradicted) if opposite else [criterion.text, *criterion.examples.met]
    points = encoder.embed(wanted)
    pieces = windows(spans)
    alike = (encoder.embed([text[a:b] for a, b in pieces]) @ points.T).max(axis=1)
    start, end = spans[int(alike[: len(spans)].argmax())]
    begins = [place for place in clause_starts(text, (start, end)) if clause(text[place:end])]
    if begins:
        quotes = encoder.embed([clause(text[place:end]) for place in begins])
        start = begins[int((quotes @ points.T).max(axis=1).argmax())]
    return NearestWords(criterion_id=criterion.id, span=(start, end), likeness=round(float(alike.max()), 3))
