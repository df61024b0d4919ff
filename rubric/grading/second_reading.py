"""A second reading of one criterion: alone, and on the sentences nearest to it instead of the whole answer.

A judge is deterministic, so asking it again on the same words would say the same. What it reads is therefore another
thing: a point that drowns in a long answer is read without the rest of it, and one that only the surroundings suggested
has to stand by itself. It is another reading and no better one: as measured it spoils more marks than it mends
(docs/benchmarks/judge-alternatives.md), so it never takes the place of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from rubric.grading import signals
from rubric.grading.grader import LONGEST_ANSWER, Grader, GradeRequest
from rubric.model import CriterionVerdict, Grade, Rubric, Span
from serving.encoders.sentence_encoder import Embedder
from serving.errors import BadInputError
from serving.frozen import FrozenModel

MOST = 3
"""Sentences that are read, at most; of a short answer half of them, so that something is left out."""

_JOINT = "\n"


class SecondReading(FrozenModel):
    """What a second reading found. All offsets count characters of the whole answer.

    Attributes:
        grade: of the one criterion.
        passage: the sentences that were read, in the answer's order.
        whole: whether that is all of the answer, so that nothing could be read differently.
        meets: the statement meeting the point that is nearest to the passage; empty where the criterion has none.
        opposes: likewise, contradicting it.

    """

    grade: Grade
    passage: tuple[Span, ...]
    whole: bool
    meets: str = ""
    opposes: str = ""


class SecondReader:
    """Reads a criterion a second time.

    Args:
        grader: the one that gave the first mark, or its equal.
        embedder: finds the nearest sentences.

    """

    def __init__(self, grader: Grader, embedder: Embedder) -> None:
        self._grader, self._embedder = grader, embedder

    def read(self, request: GradeRequest, criterion_id: str) -> SecondReading:
        """Judge one criterion of an answer alone, on the sentences nearest to it.

        Raises:
            BadInputError: the rubric has no such criterion, or the answer no words or too many.
            ServerGoneError: the model's server does not answer now; the same call may succeed later.

        """
        try:
            criterion = request.rubric.criterion(criterion_id)
        except KeyError:
            raise BadInputError(f"The rubric has no point {criterion_id}.") from None
        if not any(character.isalnum() for character in request.answer):
            raise BadInputError("The answer has no words that could be read again.")
        if len(request.answer) > LONGEST_ANSWER:
            raise BadInputError(f"The answer has {len(request.answer):,} characters; {LONGEST_ANSWER:,} can be read.")
        answer = signals.view(request.answer, self._embedder)
        found = signals.signals(answer, request.question, criterion, self._embedder)
        passage = nearest(answer.spans, np.maximum(found.closeness, found.opposition))
        text = _JOINT.join(request.answer[start:end] for start, end in passage)
        alone = Rubric(criteria=(criterion,), origin=request.rubric.origin)
        grade = self._grader.grade(request.model_copy(update={"rubric": alone, "answer": text}))
        engine = grade.engine.model_copy(update={"rubric_version": request.rubric.version})
        verdicts = tuple(_back(verdict, passage) for verdict in grade.criteria)
        return SecondReading(
            grade=grade.model_copy(update={"criteria": verdicts, "engine": engine}),
            passage=passage,
            whole=len(passage) == len(answer.spans),
            meets=self._closest(text, criterion.examples.met),
            opposes=self._closest(text, criterion.examples.contradicted),
        )

    def _closest(self, passage: str, statements: Sequence[str]) -> str:
        if not statements:
            return ""
        vectors = self._embedder.embed([passage, *statements])
        return statements[int((vectors[1:] @ vectors[0]).argmax())]


def nearest(sentences: Sequence[Span], closeness: np.typing.NDArray[np.float32]) -> tuple[Span, ...]:
    """The sentences to read: the closest half, at most ``MOST`` and at least one, in the answer's order.

    Args:
        sentences: of the answer.
        closeness: how close each is to the point or its opposite, [sentences].

    """
    keep = min(MOST, max(1, len(sentences) // 2))
    order = np.argsort(-closeness, kind="stable")[:keep]
    return tuple(sorted(sentences[int(place)] for place in order))


def _back(verdict: CriterionVerdict, passage: Sequence[Span]) -> CriterionVerdict:
    """The verdict with its evidence where it stands in the whole answer."""
    lengths = [end - start + len(_JOINT) for start, end in passage]
    begins = [0, *accumulate(lengths)][:-1]
    found = []
    for start, end in verdict.evidence:
        for begin, (first, last) in zip(begins, passage, strict=True):
            low, high = max(start, begin), min(end, begin + last - first)
            if low < high:
                found.append((first + low - begin, first + high - begin))
    return verdict.model_copy(update={"evidence": tuple(found)})
