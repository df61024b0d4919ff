"""Cheap signals on what an answer does with a criterion: similarity to the criterion and to its examples, overlap.

None of them judges; the judge weighs them beside the state of its model. All similarities are cosines of
sentence embeddings, taken over the answer's sentences and pairs of neighboring sentences. Where the answer comes
nearest to the criterion and its examples, both are read together later (``rubric.grading.relations``).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rubric.grading.evidence import sentences, windows
from rubric.grading.excerpts import excerpts, nearness
from rubric.model import Criterion, Span
from rubric.words import content_words
from serving.arrays import FloatArray
from serving.encoders.cross_encoder import RELATIONS, Pair
from serving.encoders.sentence_encoder import Embedder

TEXT_SIGNALS = ("criterion_best", "criterion_mean", "overlap", "question_best", "echo", "length")
"""Names of the signals that every criterion has, in their order."""

SIMILARITIES = ("met_best", "contradicted_best", "near_best", "met_against_contradicted", "met_against_near")
"""Names of the similarities to a criterion's example statements, in their order."""

OF_MET, OF_CONTRADICTED = 0.5, 0.3
"""What the nearest example counts beside the point itself where the words that a verdict rests on are looked for.

What contradicts a point speaks of the same thing, in words that no example foresaw: by the examples alone the first
sentence shown was the right one for 60 of 100 contradicted points, with the point for 75
(docs/benchmarks/judge.md, "Evidence").
"""

READ_BESIDE = ("point", "met", "contradicted")
"""What an answer's words are read beside by the cross-encoder: the criterion's text, and its nearest statements."""

EXAMPLE_SIGNALS = (*SIMILARITIES, *(f"{beside}_{relation}" for beside in READ_BESIDE for relation in RELATIONS))
"""Names of the further signals of a criterion with example statements, in their order."""


class AnswerView(NamedTuple):
    """An answer cut into windows and embedded, once for all its criteria.

    Attributes:
        text: the answer.
        spans: its sentences.
        windows: its sentences and their neighboring pairs.
        vectors: embeddings of the windows, [windows, dim].
        words: its content words.
    """

    text: str
    spans: list[Span]
    windows: list[Span]
    vectors: FloatArray
    words: frozenset[str]


class CriterionView(NamedTuple):
    """A criterion's signals and how close the sentences are to it.

    Attributes:
        text: values of ``TEXT_SIGNALS``, [6].
        similar: values of ``SIMILARITIES``, [5]; ``None`` for a criterion without examples.
        pairs: for each of ``READ_BESIDE`` its text and the window nearest to it; none for a criterion without examples.
        closeness: how close each sentence is to saying the point, [sentences].
        opposition: how close each sentence is to saying the opposite, [sentences].
        excerpts: the sentences that the criterion is read beside, a line each: the nearest, and more where there are.
        relations: log-probabilities of ``RELATIONS`` for each pair, [9]; ``None`` where no pair was read (yet).
    """

    text: FloatArray
    similar: FloatArray | None
    pairs: tuple[Pair, ...]
    closeness: FloatArray
    opposition: FloatArray
    excerpts: tuple[str, ...]
    relations: FloatArray | None = None

    @property
    def examples(self) -> FloatArray | None:
        """Values of ``EXAMPLE_SIGNALS``, [14]; ``None`` for a criterion without examples.

        Raises:
            ValueError: the pairs were not read (``rubric.grading.relations``).
        """
        if self.similar is None:
            return None
        if self.relations is None:
            raise ValueError("The pairs of this criterion were not read.")
        return np.concatenate([self.similar, self.relations])


def view(answer: str, embedder: Embedder) -> AnswerView:
    """Cut an answer into windows and embed them."""
    spans = sentences(answer)
    wins = windows(spans)
    vectors = embedder.embed([answer[a:b] for a, b in wins])
    return AnswerView(answer, spans, wins, vectors, content_words(answer))


def signals(answer: AnswerView, question: str, criterion: Criterion, embedder: Embedder) -> CriterionView:
    """The signals of one criterion.

    Args:
        answer: with at least one sentence.
        question: to tell a point from an echo of the question.
        criterion: with or without examples.
        embedder: cached by the caller where the same texts come again.
    """
    examples = criterion.examples
    similar = answer.vectors @ embedder.embed([question, *_texts(criterion)]).T
    asked, point = similar[:, 0], similar[:, 1]
    best = int(point.argmax())
    wanted = content_words(criterion.text)
    text = np.array(
        [
            point[best],
            np.sort(point)[-3:].mean(),
            len(wanted & answer.words) / max(1, len(wanted)),
            asked.max(),
            asked[best],
            np.log1p(len(answer.text.split())),
        ],
        dtype=np.float32,
    )
    sentence_count = len(answer.spans)
    cuts = np.cumsum([2, len(examples.met), len(examples.contradicted), len(examples.near)])
    met, contradicted, near = (similar[:, a:b] for a, b in itertools.pairwise(cuts))
    closeness = _close_to(point, met, OF_MET, sentence_count)
    read = excerpts(answer.text, answer.spans, point)
    opposition = _close_to(point, contradicted, OF_CONTRADICTED, sentence_count)
    if not (met.shape[1] and contradicted.shape[1]):
        return CriterionView(text, None, (), closeness, opposition, read)
    met_best, contradicted_best = met.max(axis=1), contradicted.max(axis=1)
    near_best = near.max(axis=1) if near.shape[1] else np.zeros_like(met_best)
    similarities = np.array(
        [
            met_best.max(),
            contradicted_best.max(),
            near_best.max(),
            _strongest(met_best - contradicted_best, np.maximum(met_best, contradicted_best)),
            met_best.max() - near_best.max(),
        ],
        dtype=np.float32,
    )
    pairs = tuple(
        _closest_pair(answer, group, found)
        for group, found in (
            ((criterion.text,), point[:, None]),
            (examples.met, met),
            (examples.contradicted, contradicted),
        )
    )
    return CriterionView(text, similarities, pairs, closeness, opposition, read)


def similarity(answer: AnswerView, criterion: Criterion, embedder: Embedder) -> FloatArray:
    """How similar each window of an answer is to a criterion's text, [windows]."""
    result: FloatArray = answer.vectors @ embedder.embed([criterion.text])[0]
    return result


def read_beside(answer: AnswerView, criterion: Criterion, embedder: Embedder) -> str:
    """The nearest of the excerpts that a criterion is read beside: what the layers are fitted to."""
    return excerpts(answer.text, answer.spans, similarity(answer, criterion, embedder))[0]


def prepare(question: str, criteria: Sequence[Criterion], embedder: Embedder) -> None:
    """Have an embedder that remembers read, in one batch, what every answer to a question is compared with."""
    embedder.embed(compared_with(question, criteria))


def compared_with(question: str, criteria: Sequence[Criterion]) -> list[str]:
    """Every text that an answer to a question is compared with: the question, its points, and their examples."""
    return [question, *(text for item in criteria for text in _texts(item))]


def _texts(criterion: Criterion) -> list[str]:
    examples = criterion.examples
    return [criterion.text, *examples.met, *examples.contradicted, *examples.near]


def _closest_pair(answer: AnswerView, texts: Sequence[str], similar: FloatArray) -> Pair:
    """The text and the window of the answer that are nearest to each other; similar is [windows, texts]."""
    window, text = np.unravel_index(int(similar.argmax()), similar.shape)
    begin, end = answer.windows[int(window)]
    return texts[int(text)], answer.text[begin:end]


def _close_to(point: FloatArray, examples: FloatArray, weight: float, count: int) -> FloatArray:
    """The mean of how near each sentence is to the point and, by that weight, to the nearest example, [sentences]."""
    if not examples.shape[1]:
        return nearness(point, count)
    joined: FloatArray = (point + weight * examples.max(axis=1)) / (1 + weight)
    return nearness(joined, count)


def _strongest(difference: FloatArray, weight: FloatArray) -> float:
    """The difference where the answer comes closest to any example: that is where it speaks of the point."""
    return float(difference[int(weight.argmax())])
