"""Which points of different questions state the same fact, told by their words: pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from knowledge.index.lexical import words_of
from knowledge.index.word_weights import Weights, tf_idf
from knowledge.model import Question
from serving.arrays import FloatArray

SAME_FACT = 0.6
"""Cosine of two points' words (tf-idf over stems) from which they state the same fact.

Of the twelve pairs above it that the bank had once, read by hand, eleven do. Sentence embeddings find about as many,
and take a minute for the bank.
"""


class Key(NamedTuple):
    """Names a point: a criterion of a question."""

    question_id: str
    criterion_id: str


Facts = Mapping[Key, Key]
"""Of a point that shares its fact with others the one that stands for all of them."""


def same_facts(questions: Sequence[Question]) -> dict[Key, Key]:
    """Which points of different questions of a topic state the same fact.

    Returns:
        of each point that shares its fact the one that stands for it; points that stand alone are not in it.

    """
    rows = [
        (Key(question.id, criterion.id), question.topic, criterion.text)
        for question in sorted(questions, key=lambda question: question.id)
        for criterion in (question.rubric.criteria if question.rubric else ())
    ]
    weights = tf_idf([words_of(text) for _, _, text in rows])
    by_topic: dict[str, list[tuple[Key, Weights]]] = defaultdict(list)
    for (key, topic, _), held in zip(rows, weights, strict=True):
        by_topic[topic].append((key, held))
    return {key: lead for points in by_topic.values() for key, lead in _leads(points)}


def _leads(points: Sequence[tuple[Key, Weights]]) -> Iterator[tuple[Key, Key]]:
    """Each point of a topic that shares its fact, and the first that does."""
    vectors = _rows([weights for _, weights in points])
    _, asked = np.unique([key.question_id for key, _ in points], return_inverse=True)
    linked = (vectors @ vectors.T >= SAME_FACT) & (asked[:, None] != asked)
    left = set(np.flatnonzero(linked.any(axis=1)).tolist())
    while left:
        first = min(left)
        group, new = set[int](), {first}
        while new:
            group |= new
            new = set(np.flatnonzero(linked[sorted(new)].any(axis=0)).tolist()) - group
        left -= group
        yield from ((points[place][0], points[first][0]) for place in sorted(group))


def _rows(texts: Sequence[Weights]) -> FloatArray:
    """The weights as a table, [texts, words]."""
    places = {word: place for place, word in enumerate(dict.fromkeys(word for weights in texts for word in weights))}
    table = np.zeros((len(texts), len(places)), dtype=np.float32)
    for row, weights in zip(table, texts, strict=True):
        row[[places[word] for word in weights]] = list(weights.values())
    return table
