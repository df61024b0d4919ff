"""One answer, all criteria of its rubric: the grade, with the words that earned it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from rubric.grading import relations, signals, uncertainty
from rubric.grading.claims import claims
from rubric.grading.evidence import select
from rubric.grading.judges.base import Judge
from rubric.grading.misheard_terms import HeardWord, all_with_doubtful
from rubric.grading.signals import AnswerView, CriterionView
from rubric.grading.state_head import CLASSES
from rubric.grading.uncertainty import Limits, is_confident
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict
from rubric.words import content_words
from serving.arrays import FloatArray
from serving.encoders.cross_encoder import CrossEncoder
from serving.encoders.sentence_encoder import Embedder
from serving.errors import ProtocolError
from serving.frozen import FrozenModel

LONGEST_ANSWER = 20_000
"""Characters that can be graded, about 3,500 words; nobody says more to one question."""


class GradeRequest(FrozenModel):
    """What is to be graded.

    Attributes:
        question: as it was asked.
        reference: a strong answer; may be empty.
        rubric: the criteria.
        answer: what the person said, all of it.
        heard: its words with how sure recognition was of each; empty for what was typed. No mark depends on them.
        denied: ids of criteria that earlier grades did not credit, each with the number of characters of the answer
            that the last of these was given for. What earned a point cannot stand there; no mark depends on it.
    """

    question: str
    reference: str = ""
    rubric: Rubric
    answer: str
    heard: tuple[HeardWord, ...] = ()
    denied: tuple[tuple[str, int], ...] = ()


class Grader(Protocol):
    """Grades answers."""

    def grade(self, request: GradeRequest) -> Grade:
        """Grade one answer.

        Raises:
            ServerGoneError: the model's server does not answer now; the same call may succeed later.
        """
        ...

    def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
        """Do what is the same for every answer, while the person thinks; a grade does it where this was left out.

        Raises:
            ModelMissingError: a model is not there.
            ServerGoneError: the model's server does not answer now.
        """
        ...

    def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
        """Read an answer that is still being given, so that its grade need not read that part again.

        Args:
            request: with what was said so far.
            stop: whether somebody waits for a mark; nothing more is read then.

        Raises:
            InterviewerError: as ``grade`` and ``prepare`` do.
        """
        ...


class RubricGrader:
    """Grades with a judge and sentence embeddings.

    Args:
        judge: tells how likely each verdict is.
        embedder: for the signals and to select the evidence.
        cross_encoder: reads the answer's nearest words beside example statements.
        wait: returns once the embedder's model is there: on a first start an answer may come before it was fetched.
    """

    def __init__(
        self,
        judge: Judge,
        embedder: Embedder,
        cross_encoder: CrossEncoder,
        wait: Callable[[], object] = lambda: None,
    ) -> None:
        self._judge, self._embedder, self._cross_encoder = judge, embedder, cross_encoder
        self._wait = wait

    def grade(self, request: GradeRequest) -> Grade:
        """See ``Grader.grade``."""
        self._wait()
        begin = time.perf_counter()
        verdicts = all_with_doubtful(self._verdicts(request), request.rubric, request.heard)
        engine = Engine(
            judge=self._judge.name,
            model=self._judge.model,
            digest=self._judge.digest,
            rubric_version=request.rubric.version,
            spread=self._judge.spread,
        )
        return Grade(
            score=score(request.rubric, verdicts),
            interval=uncertainty.score_interval(request.rubric, verdicts, engine.spread),
            criteria=verdicts,
            engine=engine,
            seconds=round(time.perf_counter() - begin, 3),
        )

    def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
        """See ``Grader.prepare``."""
        signals.prepare(question, criteria, self._embedder)
        self._judge.read_ahead(question, criteria, [None] * len(criteria), lambda: False)

    def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
        """See ``Grader.read_ahead``."""
        if len(request.answer) > LONGEST_ANSWER:
            return
        claimed = claims(request.answer, request.question)
        if claimed.silent or stop():
            return
        _, views = self._views(request, claimed.text)
        self._judge.read_ahead(request.question, request.rubric.criteria, views, stop)

    def _views(self, request: GradeRequest, claimed: str) -> tuple[AnswerView, list[CriterionView]]:
        answer = signals.view(claimed, self._embedder)
        criteria = request.rubric.criteria
        return answer, relations.views(answer, request.question, criteria, self._embedder, self._cross_encoder)

    def _verdicts(self, request: GradeRequest) -> tuple[CriterionVerdict, ...]:
        criteria = request.rubric.criteria
        if len(request.answer) > LONGEST_ANSWER:
            long = f"The answer has {len(request.answer):,} characters; up to {LONGEST_ANSWER:,} can be graded."
            return tuple(unscored(item, long) for item in criteria)
        claimed = claims(request.answer, request.question)
        if claimed.silent:
            return tuple(_silent(item, claimed.why) for item in criteria)
        answer, views = self._views(request, claimed.text)
        denied = dict(request.denied)
        try:
            chances = self._judge.probabilities(request.question, claimed.read, criteria, views)
        except ProtocolError as error:
            return tuple(unscored(item, error.message) for item in criteria)
        return tuple(
            verdict_of(item, row, answer, view, self._judge.limits, after=denied.get(item.id, 0))
            for item, row, view in zip(criteria, chances, views, strict=True)
        )


def verdict_of(
    criterion: Criterion,
    chances: FloatArray,
    answer: AnswerView,
    view: CriterionView,
    limits: Limits,
    *,
    after: int = 0,
) -> CriterionVerdict:
    """Turn probabilities into a verdict with its evidence: pure.

    Args:
        criterion: what was judged.
        chances: probabilities of met, partial, missing and contradicted, [4].
        answer: for the evidence.
        view: how close each sentence is to the point and to its opposite.
        limits: from where the judge is sure.
        after: characters of the answer that did not make the point: words behind them are shown for its credit.
    """
    met, partial, _, contradicted = (float(value) for value in chances)
    verdict = CLASSES[int(np.argmax(chances))]
    evidence: tuple[tuple[int, int], ...] = ()
    if verdict is Verdict.CONTRADICTED:
        evidence = select(answer.spans, _stated(answer, view.opposition))
    elif verdict is not Verdict.MISSING:
        told = view.closeness + OF_WORDS * words_shared(answer, criterion)
        evidence = select(answer.spans, _stated(answer, told, after if met + partial >= 0.5 else 0))
    return CriterionVerdict(
        id=criterion.id,
        credit=round(min(1.0, met + partial / 2), 3),
        verdict=verdict,
        sure=is_confident(chances, limits),
        contradicted=round(min(1.0, contradicted), 3),
        evidence=evidence,
    )


OF_WORDS = 0.4
"""What a sentence's share of a point's words counts beside its closeness where the words that earned credit are chosen.

Of 633 points that two readers of whole interviews hold to be made, the closest sentence was one of theirs for .67
by closeness alone, and for .72 with this; of all sentences shown .57 and .65.
"""


def words_shared(answer: AnswerView, criterion: Criterion) -> FloatArray:
    """Which share of a point's words each sentence has, and of those of the example nearest to it, [sentences]."""
    wanted = [content_words(text) for text in (criterion.text, *criterion.examples.met)]
    said = [content_words(answer.text[a:b]) for a, b in answer.spans]
    shares = np.array([[len(words & each) / max(1, len(words)) for words in wanted] for each in said])
    result: FloatArray = ((1 - OF_EXAMPLE) * shares[:, 0] + OF_EXAMPLE * shares.max(axis=1)).astype(np.float32)
    return result


OF_EXAMPLE = 0.3


def _stated(answer: AnswerView, closeness: FloatArray, after: int = 0) -> FloatArray:
    """How close each sentence is, but for questions, which state nothing: they come last.

    Where a sentence behind a character states something, all before it come last of all.
    """
    states = np.array([not answer.text[a:b].endswith("?") for a, b in answer.spans], dtype=bool)
    behind = np.array([a >= after for a, _ in answer.spans], dtype=bool)
    result: FloatArray = np.where(states, closeness, closeness - 1.0)
    return np.where(behind, result, result - 2.0) if (states & behind).any() else result


def score(rubric: Rubric, verdicts: tuple[CriterionVerdict, ...]) -> float | None:
    """Weighted mean of the credits; ``None`` when a criterion is unscored, since part of a mark is no mark.

    Waived criteria do not count; when all are waived there is no mark either.
    """
    pairs = zip(verdicts, (criterion.weight for criterion in rubric.criteria), strict=True)
    counted = [(verdict.credit, weight) for verdict, weight in pairs if not verdict.waived]
    known = [(credit, weight) for credit, weight in counted if credit is not None]
    if not known or len(known) < len(counted):
        return None
    return round(sum(credit * weight for credit, weight in known) / sum(weight for _, weight in known), 4)


def rescored(grade: Grade, rubric: Rubric, verdicts: tuple[CriterionVerdict, ...]) -> Grade:
    """The grade with other verdicts, and the score and the interval that follow from them.

    Args:
        grade: as judged.
        rubric: what it was judged against.
        verdicts: one a criterion, in the rubric's order.

    """
    interval = uncertainty.score_interval(rubric, verdicts, grade.engine.spread)
    return grade.model_copy(update={"criteria": verdicts, "score": score(rubric, verdicts), "interval": interval})


def waive_contradictions(grade: Grade, rubric: Rubric, reason: str) -> Grade:
    """The grade without the criteria that the answer contradicts: for a reference that is not to be trusted.

    Args:
        grade: as judged.
        rubric: what it was judged against.
        reason: what is the matter with the reference, a sentence.

    """
    verdicts = tuple(
        unscored(rubric.criterion(verdict.id), reason).model_copy(update={"waived": True})
        if verdict.verdict is Verdict.CONTRADICTED
        else verdict
        for verdict in grade.criteria
    )
    return rescored(grade, rubric, verdicts)


def unscored(criterion: Criterion, reason: str) -> CriterionVerdict:
    """The verdict on a criterion that could not be judged."""
    return CriterionVerdict(id=criterion.id, credit=None, verdict=Verdict.UNSCORED, sure=False, reason=reason)


def _silent(criterion: Criterion, why: Sequence[str]) -> CriterionVerdict:
    """Who claimed nothing made no point: the one verdict that needs no judge.

    Who said something all the same is asked about it.
    """
    return CriterionVerdict(
        id=criterion.id,
        credit=0.0,
        verdict=Verdict.MISSING,
        sure=not why,
        contradicted=0.0,
        reason="; ".join(why),
    )
