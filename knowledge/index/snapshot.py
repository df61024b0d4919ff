"""All questions at one moment, ready to be searched. Never changed once made, so it needs no lock."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from knowledge.glossary import glossary
from knowledge.index.chunk_vectors import MANY, NEAREST, ChunkVectors, of_rows
from knowledge.index.chunking import titles_of, words_for
from knowledge.index.disk_store import StoredIndex
from knowledge.index.kind_cues import kinds_not_meant
from knowledge.index.rank_fusion import fuse, mean_of_best
from knowledge.model import Hit, Kind, Level, Question, Reference, topic_name
from serving.arrays import FloatArray

if TYPE_CHECKING:
    from knowledge.index.lexical import LexicalIndex
    from knowledge.index.near_duplicates import Alike

# SciPy takes a second to import, so what needs it is imported with the first search or comparison.

Mask = npt.NDArray[np.bool_]

Groups = dict[object, list[int]]
"""Positions of the questions that have a value."""


class IndexSnapshot:
    """What an index holds in one generation.

    Args:
        stored: the generation as read or written.

    """

    def __init__(self, stored: StoredIndex) -> None:
        self.stored = stored
        self.by_id: dict[str, Question] = {}
        self._position: dict[str, int] = {}
        self._of_source: Groups = defaultdict(list)
        owners: list[int] = []
        for shelf in stored.shelves:
            for place, question in enumerate(shelf.questions):
                position = self._position.setdefault(question.id, len(self._position))
                self.by_id.setdefault(question.id, question)
                self._of_source[shelf.source].append(position)
                owners += [position] * (shelf.chunks[place] if shelf.chunks else 0)
        self.questions = tuple(self.by_id.values())
        self._owners = np.array(owners, dtype=np.int64)

    @property
    def pending(self) -> tuple[str, ...]:
        """The sources whose questions have no vectors yet."""
        return tuple(shelf.source for shelf in self.stored.shelves if shelf.questions and not shelf.chunks)

    @cached_property
    def leads(self) -> tuple[Question, ...]:
        """One question of each cluster, and all that are in none."""
        # No two entries of the bank are one, which saves the comparing where nothing else is there.
        if all(question.rubric and question.rubric.origin == "bank" for question in self.questions):
            return self.questions
        others = {position for cluster in self.alike.clusters for position in cluster[1:]}
        return tuple(question for position, question in enumerate(self.questions) if position not in others)

    @cached_property
    def alike(self) -> Alike:
        """Which questions ask the same; nothing is known of those without vectors."""
        from knowledge.index.near_duplicates import Alike, alike  # noqa: PLC0415

        positions, titles, middles = self.directions()
        if not positions:
            return Alike((), {}, {})
        found = alike([self.questions[position] for position in positions], titles, middles)
        return Alike(
            clusters=tuple(tuple(positions[place] for place in cluster) for cluster in found.clusters),
            likeness={(positions[a], positions[b]): value for (a, b), value in found.likeness.items()},
            near={positions[a]: frozenset(positions[b] for b in others) for a, others in found.near.items()},
        )

    def directions(self) -> tuple[list[int], FloatArray, FloatArray]:
        """Positions of the questions with vectors, and for each the direction of its titles and of all its chunks.

        Both have shape [questions with vectors, dim] and rows of length 1.
        """
        rows = self.stored.vectors
        starts = np.flatnonzero(np.diff(self._owners, prepend=-1))
        ends = np.append(starts[1:], len(self._owners))
        # The same id from two sources has its vectors twice; the first ones count.
        held, first = np.unique(self._owners[starts], return_index=True)
        positions = held.tolist()
        titles = np.zeros((len(positions), rows.shape[1]), dtype=np.float32)
        middles = np.zeros_like(titles)
        for place, (position, start, end) in enumerate(zip(positions, starts[first], ends[first], strict=True)):
            own = len(titles_of(self.questions[position]))
            titles[place] = rows[start : start + own].mean(axis=0)
            middles[place] = rows[start:end].mean(axis=0)
        return positions, _directions(titles), _directions(middles)

    def near(self, question_id: str) -> frozenset[str]:
        """Ids of the questions that are not asked in one interview with that one; it is held here."""
        others = self.alike.near.get(self._position[question_id], frozenset())
        return frozenset(self.questions[position].id for position in others)

    def references(self, question_id: str) -> tuple[Reference, ...]:
        """What each document has on the question, the lead's first.

        Raises:
            KeyError: there is no question of that id.

        """
        position = self._position[question_id]
        cluster = self._cluster_of.get(position, (position,))
        return tuple(self._reference(cluster[0], member) for member in cluster)

    def search(
        self,
        text: str,
        vector: FloatArray,
        k: int,
        *,
        topics: Collection[str],
        kinds: Collection[Kind],
        levels: Collection[Level],
        sources: Collection[str],
        exclude: Collection[str],
    ) -> list[Hit]:
        """The best questions for a query; an empty filter lets everything pass. See ``QuestionIndex.search``.

        Args:
            text: the query.
            vector: the query's vector, shape [1, dim].
            k: most hits to return.
            topics: only questions of these topics.
            kinds: only questions of these kinds.
            levels: only questions of these levels.
            sources: only questions that one of these sources asks.
            exclude: ids of questions to leave out, with what asks the same.

        """
        if not len(self._owners) or k < 1:
            return []
        wanted = self._wanted(topics, kinds, levels, sources, exclude)
        words, other_kind = self._words(text), self._mask(self._by_kind, kinds_not_meant(text))
        near = self._vectors.nearest(vector[0], NEAREST if len(self._owners) > MANY else len(self._owners))
        looked_at = np.zeros(len(self.questions), dtype=np.bool_)
        looked_at[self._row_leads[near.rows]] = True
        looked_at &= wanted
        nearest, meaning = self._meaning(vector, looked_at)
        scores = np.where(looked_at, fuse(meaning, words, other_kind), -np.inf)
        if near.floor > -1:
            # What is not among the nearest is at most as near as the last of them; only its words can make up for that.
            at_most = fuse(np.full(len(self.questions), near.floor, dtype=np.float32), words, other_kind)
            enough = np.partition(scores, -k)[-k] if k <= len(scores) else -np.inf
            others = wanted & ~looked_at & (at_most >= enough)
            if others.any():
                theirs, meaning = self._meaning(vector, others)
                nearest = np.where(others, theirs, nearest)
                scores = np.where(others, fuse(meaning, words, other_kind), scores)
                looked_at |= others
        found = np.flatnonzero(looked_at)
        best = found[np.argsort(-scores[found], kind="stable")[:k]]
        return [
            Hit(question=self.questions[place], score=float(scores[place]), similarity=float(nearest[place]))
            for place in best
        ]

    def signals(self, text: str, vector: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Cosine of each question's nearest chunk, the mean of its nearest few, and its BM25, all shape [questions].

        A lead has the best of its cluster's; what stands at a question that is no lead means nothing.

        Args:
            text: the query.
            vector: the query's vector, shape [1, dim].

        """
        return *self._meaning(vector, np.ones(len(self.questions), dtype=np.bool_)), self._words(text)

    def fused(self, text: str, meaning: FloatArray, words: FloatArray) -> FloatArray:
        """The score of each question for a query out of its ``signals``, shape [questions]."""
        return fuse(meaning, words, self._mask(self._by_kind, kinds_not_meant(text)))

    def _wanted(
        self,
        topics: Collection[str],
        kinds: Collection[Kind],
        levels: Collection[Level],
        sources: Collection[str],
        exclude: Collection[str],
    ) -> Mask:
        """The leads that pass the filters of ``search``."""
        wanted = self._is_lead.copy()
        for chosen, group in (
            ({*map(topic_name, topics)}, self._by_topic),
            (kinds, self._by_kind),
            (levels, self._by_level),
        ):
            if chosen:
                wanted &= self._mask(group, chosen)
        if sources:
            wanted &= self._with_leads(self._mask(self._of_source, sources))
        excluded = np.zeros(len(self.questions), dtype=np.bool_)
        excluded[[self._position[name] for name in exclude if name in self._position]] = True
        return np.asarray(wanted & ~self._with_leads(excluded))

    def _meaning(self, vector: FloatArray, leads: Mask) -> tuple[FloatArray, FloatArray]:
        """Cosine of the nearest chunk, and the mean of the nearest few, of some leads, both shape [questions]."""
        rows = np.flatnonzero(leads[self._row_leads])
        cosines, owners = self._vectors.cosines(vector[0], rows), self._row_leads[rows]
        nearest = np.full(len(self.questions), -1.0, dtype=np.float32)
        np.maximum.at(nearest, owners, cosines)
        return nearest, mean_of_best(cosines, owners, len(self.questions))

    def _words(self, text: str) -> FloatArray:
        """BM25 of each lead, the best of its cluster's, shape [questions]."""
        words = np.zeros(len(self.questions), dtype=np.float32)
        related = (name for term in glossary.load().named_in(text) for name in (term.name, *term.aliases))
        np.maximum.at(words, self._leads_of, self._lexical.scores(text, related))
        return words

    @cached_property
    def _vectors(self) -> ChunkVectors:
        return of_rows(self.stored.vectors)

    @cached_property
    def _row_leads(self) -> npt.NDArray[np.int64]:
        """The lead of the question of each vector."""
        return np.asarray(self._leads_of[self._owners])

    @cached_property
    def _lexical(self) -> LexicalIndex:
        from knowledge.index.lexical import LexicalIndex  # noqa: PLC0415

        return LexicalIndex([words_for(question) for question in self.questions])

    @cached_property
    def _cluster_of(self) -> dict[int, tuple[int, ...]]:
        return {position: cluster for cluster in self.alike.clusters for position in cluster}

    @cached_property
    def _leads_of(self) -> npt.NDArray[np.int64]:
        """Each question's lead, itself where it is in no cluster."""
        leads = np.arange(len(self.questions))
        for cluster in self.alike.clusters:
            leads[list(cluster)] = cluster[0]
        return leads

    @cached_property
    def _is_lead(self) -> Mask:
        return np.asarray(self._leads_of == np.arange(len(self.questions)))

    @cached_property
    def _by_topic(self) -> Groups:
        return _grouped(question.topic for question in self.questions)

    @cached_property
    def _by_kind(self) -> Groups:
        return _grouped(question.kind for question in self.questions)

    @cached_property
    def _by_level(self) -> Groups:
        return _grouped(question.level for question in self.questions)

    def _mask(self, groups: Groups, chosen: Collection[object]) -> Mask:
        """Where the questions of the chosen groups stand."""
        mask = np.zeros(len(self.questions), dtype=np.bool_)
        mask[[position for value in chosen for position in groups.get(value, ())]] = True
        return mask

    def _with_leads(self, mask: Mask) -> Mask:
        """The mask with the lead of every question in it."""
        wider = mask.copy()
        wider[self._leads_of[mask]] = True
        return wider

    def _reference(self, lead: int, member: int) -> Reference:
        question = self.questions[member]
        pair = (min(lead, member), max(lead, member))
        # Copies in the same words are never compared: they are the same.
        return Reference(
            question_id=question.id,
            source=question.source,
            text=question.reference,
            flags=question.flags,
            likeness=self.alike.likeness.get(pair, 1.0),
        )


def _grouped(values: Iterable[object]) -> Groups:
    groups: Groups = defaultdict(list)
    for position, value in enumerate(values):
        groups[value].append(position)
    return groups


def _directions(rows: FloatArray) -> FloatArray:
    """The rows at length 1."""
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)
