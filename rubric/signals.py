"""Cheap signals on what an answer does with a criterion: similarity to the criterion and to its examples, overlap.

None of them judges; the judge weighs them beside the state of its model. All similarities are cosines of
sentence embeddings, taken over the answer's sentences and pairs of neighbouring sentences.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rubric.evidence import sentences, windows
from rubric.model import Criterion, Span
from rubric.words import content_words
from serving.clients import FloatArray
from serving.embedder import Embedder

TEXT_SIGNALS = ("criterion_best", "criterion_mean", "overlap", "question_best", "echo", "length")
"""Names of the signals that every criterion has, in their order."""

EXAMPLE_SIGNALS = ("met_best", "contradicted_best", "near_best", "met_against_contradicted", "met_against_near")
"""Names of the further signals of a criterion with example statements, in their order."""


class AnswerView(NamedTuple):
    """An answer cut into windows and embedded, once for all its criteria.

    Attributes:
        text: the answer.
        spans: its sentences.
        windows: its sentences and their neighbouring pairs.
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
        examples: values of ``EXAMPLE_SIGNALS``, [5]; ``None`` for a criterion without examples.
        closeness: how close each sentence is to saying the point, [sentences].
        opposition: how close each sentence is to saying the opposite, [sentences]; where there are no
            contradicting examples, how close it is to the point's own words.
    """

    text: FloatArray
    examples: FloatArray | None
    closeness: FloatArray
    opposition: FloatArray


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
    texts = [criterion.text, question, *examples.met, *examples.contradicted, *examples.near]
    similar = answer.vectors @ embedder.embed(texts).T
    point, asked = similar[:, 0], similar[:, 1]
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
    closeness = _nearest([point[:, None], met])[:sentence_count]
    opposition = _nearest([contradicted if contradicted.shape[1] else point[:, None]])[:sentence_count]
    if not (met.shape[1] and contradicted.shape[1]):
        return CriterionView(text, None, closeness, opposition)
    met_best, contradicted_best = met.max(axis=1), contradicted.max(axis=1)
    near_best = near.max(axis=1) if near.shape[1] else np.zeros_like(met_best)
    further = np.array(
        [
            met_best.max(),
            contradicted_best.max(),
            near_best.max(),
            _strongest(met_best - contradicted_best, np.maximum(met_best, contradicted_best)),
            met_best.max() - near_best.max(),
        ],
        dtype=np.float32,
    )
    return CriterionView(text, further, closeness, opposition)


def _nearest(groups: Sequence[FloatArray]) -> FloatArray:
    joined: FloatArray = np.concatenate(groups, axis=1).max(axis=1)
    return joined


def _strongest(difference: FloatArray, weight: FloatArray) -> float:
    """The difference where the answer comes closest to any example: that is where it speaks of the point."""
    return float(difference[int(weight.argmax())])
