"""Which questions ask the same: pairs that are alike, and clusters of them. Pure.

Cosine alone tells duplicates only from about 0.8 up, where few of them are. A pair is judged by a logistic regression
on several signals instead: how near the questions are, how far nearer than either is to its neighborhood (which keeps
common subjects from attracting everything; the idea of CSLS, Conneau et al. 2018), the words that the questions and the
answers share, and their kinds. The weights were fitted to the five documents' questions by
``tests/benchmarks/clusters.py``.

Clusters come from complete linkage: every two questions of a cluster are alike, so chains do not melt into one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import faiss
import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from knowledge.index.lexical import words_of
from knowledge.index.word_weights import cosine, tf_idf
from knowledge.model import Kind, Question
from serving.arrays import FloatArray

SAME = 0.5
"""Likeness from which two questions are one."""

TOO_NEAR = 0.25
"""Likeness from which two questions are not asked in one interview."""

TOO_NEAR_COSINE = 0.8
"""Cosine of two questions, answers left out, that keeps them apart as well, be their answers ever so different."""

OTHER_ANSWERS = 0.1
"""Cosine of two answers' words below which their questions are not one, however alike: "… on one GPU", "… on eight".
The least among questions that do ask the same was .165."""

NEIGHBORS = 32
"""Questions that each one is compared with: its nearest. Without a bound, a large collection on one subject would give
millions of pairs."""

_AROUND = 5

# In a collection of a few scattered questions any two would stand out; this is the most that was met in fitting.
_MOST_BEYOND = 0.25

# A story, a design and anything else never ask the same.
_FORMS = {Kind.BEHAVIORAL: "story", Kind.SYSTEM_DESIGN: "design"}

Indices = npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """Pairs of questions worth comparing, with what speaks for their being the same.

    Attributes:
        first, second: positions of the questions, first below second, shape [pairs].
        signals: shape [pairs, 7], see ``WEIGHTS``.

    """

    first: Indices
    second: Indices
    signals: FloatArray


class Alike(NamedTuple):
    """What of a collection asks the same.

    Attributes:
        clusters: positions of the questions that are one, two or more each, the lead first.
        likeness: of pairs of positions, the lower one first, ``TOO_NEAR`` to 1. Those below are nearly all and
            would take as much memory as the texts.
        near: for each position those that are not asked in one interview with it; a position without any is not there.

    """

    clusters: tuple[tuple[int, ...], ...]
    likeness: Mapping[tuple[int, int], float]
    near: Mapping[int, frozenset[int]]


WEIGHTS = np.array([2.7, 5.2, 11.3, 6.6, 1.0, -0.7, 1.75], dtype=np.float32)
"""Of: cosine of the questions; cosine of their words' tf-idf, and of their answers'; nearness beyond the
neighborhood's; both behavioral (stories share no words); exactly one a debugging question; exactly one the bank's.

The last is not fitted but set: the bank was written to cover what documents ask, each thing once. With it 69 of 160
questions of the five documents join their nearest entry, and 7 would join the second nearest were there no nearer one.
"""

BIAS = -7.5
"""One above the fitted one: pairs are rare, and what is missed here is still kept apart by ``TOO_NEAR``."""


def alike(questions: Sequence[Question], titles: FloatArray, middles: FloatArray) -> Alike:
    """Clusters of questions that are one, and near ones.

    Args:
        questions: all there are.
        titles: direction of each question's own words, shape [questions, dim], rows of length 1.
        middles: direction of each question with its answer, likewise.

    """
    copies = _copies(questions)
    kept = np.array([group[0] for group in copies], dtype=np.int64)
    if len(kept) < 2:
        one = tuple(tuple(group) for group in copies if len(group) > 1)
        return Alike(one, {}, _near(one, ()))
    firsts = [questions[position] for position in kept]
    pairs = candidates(firsts, titles[kept], middles[kept])
    answered = np.array([bool(question.reference.strip()) for question in firsts])
    differ = answered[pairs.first] & answered[pairs.second] & (pairs.signals[:, 2] < OTHER_ANSWERS)
    like = likeness(pairs.signals)
    like = np.where(differ, np.minimum(like, TOO_NEAR), like)
    found = {group[0]: group for group in clusters(firsts, pairs, like)}
    inside = {place for group in found.values() for place in group}
    groups = [*found.values(), *((place,) for place in range(len(firsts)) if place not in inside)]
    whole = [
        _by_merit(questions, (position for place in group for position in copies[place]))
        for group in groups
        if len(group) > 1 or len(copies[group[0]]) > 1
    ]
    too_near = (like >= TOO_NEAR) | (pairs.signals[:, 0] >= TOO_NEAR_COSINE)
    told = kept[pairs.first].tolist(), kept[pairs.second].tolist()
    near = [pair for pair, is_near in zip(zip(*told, strict=True), too_near, strict=True) if is_near]
    return Alike(
        clusters=tuple(sorted(whole)),
        likeness={
            _ordered(*pair): value
            for pair, value in zip(zip(*told, strict=True), like.tolist(), strict=True)
            if value >= TOO_NEAR
        },
        near=_near(whole, near),
    )


def likeness(signals: FloatArray) -> FloatArray:
    """Probability, 0 to 1, that the questions of each pair ask the same, shape [pairs]."""
    return np.asarray(1 / (1 + np.exp(-(signals @ WEIGHTS + BIAS))), dtype=np.float32)


def candidates(questions: Sequence[Question], titles: FloatArray, middles: FloatArray) -> Pairs:
    """The pairs of near questions with their signals.

    Args:
        questions: at least two.
        titles: direction of each question's own words, shape [questions, dim], rows of length 1.
        middles: direction of each question with its answer, likewise.

    """
    index = faiss.IndexFlatIP(middles.shape[1])
    index.add(np.ascontiguousarray(middles))
    # One more than wanted, since each question is its own nearest.
    nearness, near = index.search(middles, min(NEIGHBORS + 1, len(questions)))
    others = np.where(near == np.arange(len(questions))[:, None], np.nan, nearness)
    around = np.nanmean(-np.sort(-others, axis=1)[:, :_AROUND], axis=1)
    rows = np.repeat(np.arange(len(questions)), near.shape[1])
    both = np.sort(np.stack([rows, near.ravel()], axis=1), axis=1)
    both = np.unique(both[(both[:, 0] != both[:, 1]) & _comparable(questions, both)], axis=0)
    first, second = both[:, 0], both[:, 1]
    behavioral = _which(questions, Kind.BEHAVIORAL)
    debugging = _which(questions, Kind.DEBUGGING)
    ours = np.array([question.of_bank for question in questions])
    asked = _shared_words([f"{question.text}\n{question.spoken}" for question in questions], first, second)
    answered = _shared_words([question.reference for question in questions], first, second)
    signals = [
        _dots(titles, first, second),
        asked,
        answered,
        np.minimum(_dots(middles, first, second) - (around[first] + around[second]) / 2, _MOST_BEYOND),
        behavioral[first],
        debugging[first] != debugging[second],
        ours[first] != ours[second],
    ]
    return Pairs(first, second, np.stack(signals, axis=1).astype(np.float32))


def clusters(questions: Sequence[Question], pairs: Pairs, like: FloatArray) -> tuple[tuple[int, ...], ...]:
    """Positions of the questions that are one, each cluster of two or more with its lead first.

    Two entries of the bank are never one: who wrote them kept them apart.
    """
    ours = np.array([question.of_bank for question in questions])
    joined = (like >= SAME) & ~(ours[pairs.first] & ours[pairs.second])
    first, second, like = pairs.first[joined], pairs.second[joined], like[joined]
    size = len(questions)
    _, component = connected_components(csr_matrix((like, (first, second)), shape=(size, size)), directed=False)
    members: dict[int, list[int]] = defaultdict(list)
    for position in np.unique(np.concatenate([first, second])).tolist():
        members[int(component[position])].append(position)
    of_component: dict[int, list[int]] = defaultdict(list)
    for pair, position in enumerate(first.tolist()):
        of_component[int(component[position])].append(pair)
    found = []
    for name, positions in members.items():
        place = {position: row for row, position in enumerate(positions)}
        distance = np.ones((len(positions), len(positions)))
        np.fill_diagonal(distance, 0.0)
        for pair in of_component[name]:
            one, other = place[int(first[pair])], place[int(second[pair])]
            distance[one, other] = distance[other, one] = 1 - like[pair]
        labels = fcluster(linkage(squareform(distance), "complete"), 1 - SAME, "distance")
        for label in np.unique(labels):
            together = [position for position, its in zip(positions, labels, strict=True) if its == label]
            if len(together) > 1:
                found.append(_by_merit(questions, together))
    return tuple(sorted(found))


def _copies(questions: Sequence[Question]) -> list[list[int]]:
    """Positions of questions in the same words, the best first; an entry of the bank is no copy of anything."""
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, question in enumerate(questions):
        form = _FORMS.get(question.kind, "")
        words = " ".join(re.findall(r"\w+", question.text.casefold())) or question.text
        groups[(question.id,) if question.of_bank else (form, words)].append(position)
    return [list(_by_merit(questions, group)) for group in groups.values()]


def _near(groups: Iterable[Sequence[int]], pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """What is near to what: all of a cluster to each other, and whole clusters that a pair joins."""
    group_of = {position: tuple(group) for group in groups for position in group}
    near: dict[int, set[int]] = defaultdict(set)
    for group in set(group_of.values()):
        for position in group:
            near[position] |= set(group) - {position}
    for one, other in pairs:
        ones, others = group_of.get(one, (one,)), group_of.get(other, (other,))
        for position in ones:
            near[position] |= set(others) - {position}
        for position in others:
            near[position] |= set(ones) - {position}
    return {position: frozenset(others) for position, others in near.items()}


def _by_merit(questions: Sequence[Question], positions: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(positions, key=lambda position: (_merit(questions[position]), position)))


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _merit(question: Question) -> tuple[bool, bool, bool, int]:
    """Sorts what should be asked first: the bank's own, then what has a rubric, then the best reference."""
    return (not question.of_bank, question.rubric is None, bool(question.flags), -len(question.reference))


def _comparable(questions: Sequence[Question], pairs: Indices) -> npt.NDArray[np.bool_]:
    """Whether both of a pair are stories, both designs, or neither is: one kind never asks what the other does."""
    form = np.array([_FORMS.get(question.kind, "") for question in questions])
    return np.asarray(form[pairs[:, 0]] == form[pairs[:, 1]])


def _which(questions: Sequence[Question], kind: Kind) -> npt.NDArray[np.bool_]:
    return np.array([question.kind is kind for question in questions])


def _dots(rows: FloatArray, first: Indices, second: Indices) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", rows[first], rows[second]), dtype=np.float32)


def _shared_words(texts: Sequence[str], first: Indices, second: Indices) -> FloatArray:
    """Cosine of the texts' tf-idf over word stems for each pair; 0 where a text has no words."""
    weights = tf_idf([words_of(text) for text in texts])
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return np.array([cosine(weights[one], weights[other]) for one, other in pairs], dtype=np.float32)
