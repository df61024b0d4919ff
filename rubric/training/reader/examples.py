"""What the reader learns from in each step, drawn from a corpus. Pure.

An example is a criterion and the words that it is read beside. Six kinds, so that no manner and no source gives a
verdict away, and the classes come about as often as they do in interviews:

- the sentences of a labeled answer that are nearest to the criterion: natural shares, and hard missing ones;
- contrast: an excerpt that does not make the point, the same with a statement that does, and the same with one that
  contradicts it, comes near it or makes a part of it; the better of two shall have more credit;
- a statement alone;
- statements on other criteria of the question, the nearest ones: missing;
- the sentences of the reference: met;
- the words that a label rests on, and what is nearest without them: missing.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rubric.grading.excerpts import JOINT
from rubric.grading.state_head import CLASSES
from rubric.model import Verdict
from rubric.training.reader.corpus import Entry, Excerpt, Point
from rubric.training.spoken import as_spoken

SOURCES = {"answered": 0.55, "graded": 0.22, "statements": 0.18, "semeval": 0.05}
"""Shares of the questions: the bank's with labeled answers, graded ones, the bank's others, SemEval's."""

POINTS = 3
"""Criteria of a task of excerpts, at most."""

ANSWERS = 3
"""Excerpts of labeled answers that a criterion is read beside, at most; of sources without statements twice as many."""

_CONTRAST, _ALONE, _DISTRACTED, _REFERENCE, _EVIDENCE = 0.75, 0.6, 0.35, 0.2, 0.5
"""How often a criterion is read beside each kind of words, where there are such."""
_BASE_ASKED = 0.35
_BASE_DISTRACTORS, _BASE_NOTHING = 0.35, 0.15
_UNMARKED = 0.12
"""Share of excerpts without capitals and marks, as recognition may print them."""

_ALONE_SHARES = {Verdict.MET: 0.38, Verdict.CONTRADICTED: 0.34, Verdict.MISSING: 0.20, Verdict.PARTIAL: 0.08}
_CONTRAST_KINDS: dict[tuple[Verdict, Verdict], float] = {
    (Verdict.MET, Verdict.CONTRADICTED): 0.62,
    (Verdict.MET, Verdict.MISSING): 0.16,
    (Verdict.PARTIAL, Verdict.CONTRADICTED): 0.12,
    (Verdict.MET, Verdict.PARTIAL): 0.10,
}

_CREDITED = (Verdict.MET, Verdict.PARTIAL)

Labels = tuple[int, ...]


class Task(NamedTuple):
    """Prompts of one question that are read in one sequence.

    Attributes:
        question: as asked.
        given: the criteria, each with the words that it is read beside.
        allowed: for each prompt, in order, the indices into ``CLASSES`` that are right.
        pairs: prompts of which the first shall have more credit than the second.

    """

    question: str
    given: list[tuple[str, list[str]]]
    allowed: list[Labels]
    pairs: list[tuple[int, int]]


class Corpus:
    """Draws tasks from a corpus; the same ones for the same seed and number.

    Args:
        entries: those that may be fitted to.
        seed: of the draws.

    Raises:
        ValueError: there is nothing to draw from.

    """

    def __init__(self, entries: Sequence[Entry], seed: int) -> None:
        self._seed = seed
        of: dict[str, list[Entry]] = {name: [] for name in SOURCES}
        for each in entries:
            of[_group(each)].append(each)
        self._of = {name: found for name, found in of.items() if found}
        if not self._of:
            raise ValueError("There are no questions to draw examples from.")

    def task(self, number: int) -> Task:
        """The task of that number."""
        draw = random.Random(f"{self._seed}/{number}")  # noqa: S311 - no secret
        names = list(self._of)
        (name,) = draw.choices(names, weights=[SOURCES[each] for each in names])
        return excerpt_task(draw.choice(self._of[name]), draw)

    def tasks(self, begin: int) -> Iterator[tuple[int, Task]]:
        """Numbers and tasks without end."""
        return ((number, self.task(number)) for number in itertools.count(begin))


def _group(each: Entry) -> str:
    if each.source != "bank":
        return each.source
    read = (words for point in each.points for words in point.excerpts)
    return "answered" if any(words.kind == "answer" for words in read) else "statements"


def _told(each: Entry) -> list[Point]:
    """The points that have statements on both sides."""
    return [point for point in each.points if point.criterion.examples.met and point.criterion.examples.contradicted]


def excerpt_task(each: Entry, draw: random.Random) -> Task:
    """Some criteria of a question, each read beside several excerpts."""
    given: list[tuple[str, list[str]]] = []
    allowed: list[Labels] = []
    pairs: list[tuple[int, int]] = []
    for point in draw.sample(each.points, min(POINTS, len(each.points))):
        words, labels, of_point = _beside(point, draw)
        if words:
            pairs += [(better + len(allowed), worse + len(allowed)) for better, worse in of_point]
            given.append((point.criterion.text, [_as_recognized(text, draw) for text in words]))
            allowed += labels
    return Task(each.text, given, allowed, pairs)


def _beside(point: Point, draw: random.Random) -> tuple[list[str], list[Labels], list[tuple[int, int]]]:
    """What a criterion is read beside, the labels, and pairs of these of which the first has more credit."""
    of = {kind: [item for item in point.excerpts if item.kind == kind] for kind in ("answer", "evidence", "reference")}
    left_out = [item for item in point.excerpts if item.kind == "left out"]
    told = bool(point.criterion.examples.met and point.criterion.examples.contradicted)
    chosen: list[Excerpt] = draw.sample(of["answer"], min(len(of["answer"]), ANSWERS if told else 2 * ANSWERS))
    if of["evidence"] and draw.random() < _EVIDENCE:
        chosen.append(draw.choice(of["evidence"]))
    if left_out and draw.random() < _EVIDENCE:
        chosen.append(draw.choice(left_out))
    if of["reference"] and draw.random() < _REFERENCE:
        chosen.append(draw.choice(of["reference"]))
    words = [item.words for item in chosen]
    labels: list[Labels] = [_labels(*item.allowed) for item in chosen]
    pairs: list[tuple[int, int]] = []
    if told and draw.random() < _CONTRAST:
        texts, kinds = _contrast(point, draw)
        first = len(words)
        if kinds[0] in _CREDITED and kinds[1] not in _CREDITED:
            pairs.append((first, first + 1))
        words += texts
        labels += [_labels(kind) for kind in kinds]
    if told and draw.random() < _ALONE:
        (kind,) = draw.choices(list(_ALONE_SHARES), weights=list(_ALONE_SHARES.values()))
        said, kind = _statement(point, kind, draw)
        words.append(as_spoken([said], draw))
        labels.append(_labels(kind))
    if point.distractors and draw.random() < _DISTRACTED:
        words.append(as_spoken(_some(point.distractors, draw), draw))
        labels.append(_labels(Verdict.MISSING))
    return words, labels, pairs


def _contrast(point: Point, draw: random.Random) -> tuple[list[str], list[Verdict]]:
    """The same words with one statement changed, the one with more credit first; perhaps also without any."""
    (kinds,) = draw.choices(list(_CONTRAST_KINDS), weights=list(_CONTRAST_KINDS.values()))
    silent = [item for item in point.excerpts if item.kind != "reference" and item.allowed == (Verdict.MISSING,)]
    chance = draw.random()
    if chance < _BASE_NOTHING:
        base = []
    elif point.distractors and (chance < _BASE_NOTHING + _BASE_DISTRACTORS or not silent):
        base = list(_some(point.distractors, draw))
    else:
        base = draw.choice(silent).words.split(JOINT)[:3] if silent else []
    place = draw.randrange(len(base) + 1)
    manner = draw.random()
    texts, told = [], []
    for kind in kinds:
        said, found = _statement(point, kind, draw)
        # The same manner for both, so that nothing but the statement differs.
        spoken = as_spoken([said], random.Random(manner))  # noqa: S311 - no secret
        texts.append(JOINT.join([*base[:place], spoken, *base[place:]]))
        told.append(found)
    if base and draw.random() < _BASE_ASKED:
        texts.append(JOINT.join(base))
        told.append(Verdict.MISSING)
    return texts, told


def _some(statements: Sequence[str], draw: random.Random) -> list[str]:
    return draw.sample(list(statements), min(len(statements), draw.choice((1, 2, 2, 3))))


def _statement(point: Point, kind: Verdict, draw: random.Random) -> tuple[str, Verdict]:
    """A statement of that kind; where there is none, one that comes near for a part, else one that contradicts."""
    examples = point.criterion.examples
    of = {
        Verdict.MET: examples.met,
        Verdict.CONTRADICTED: examples.contradicted,
        Verdict.MISSING: examples.near,
        Verdict.PARTIAL: point.parts,
    }
    if kind is Verdict.PARTIAL and not of[kind]:
        kind = Verdict.MISSING
    if not of[kind]:
        kind = Verdict.CONTRADICTED
    return draw.choice(of[kind]), kind


def _as_recognized(text: str, draw: random.Random) -> str:
    if draw.random() >= _UNMARKED:
        return text
    return "".join(mark for mark in text.lower() if mark not in ",.`")


def _labels(*verdicts: Verdict) -> Labels:
    return tuple(CLASSES.index(verdict) for verdict in verdicts)


def natural_excerpt_tasks(entries: Sequence[Entry], count: int, seed: int) -> list[Task]:
    """Excerpts of labeled answers only, in their natural shares, for measuring: about ``count`` examples."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    tasks, found = [], 0
    for each in draw.sample(list(entries), len(entries)):
        given, allowed = [], []
        for point in each.points:
            chosen = [item for item in point.excerpts if item.kind == "answer"]
            chosen = draw.sample(chosen, min(len(chosen), ANSWERS))
            if chosen:
                given.append((point.criterion.text, [item.words for item in chosen]))
                allowed += [_labels(*item.allowed) for item in chosen]
        if given:
            tasks.append(Task(each.text, given, allowed, []))
            found += len(allowed)
        if found >= count:
            break
    return tasks


def statement_tasks(entries: Sequence[Entry], count: int, seed: int) -> list[Task]:
    """Statements alone, a third of each kind, for measuring: about ``count`` examples."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    tasks, found = [], 0
    for each in draw.sample(list(entries), len(entries)):
        given, allowed = [], []
        for point in _told(each):
            kinds = (Verdict.MET, Verdict.CONTRADICTED, Verdict.MISSING)
            said = [_statement(point, kind, draw) for kind in kinds]
            given.append((point.criterion.text, [text for text, _ in said]))
            allowed += [_labels(kind) for _, kind in said]
        if given:
            tasks.append(Task(each.text, given, allowed, []))
            found += len(allowed)
        if found >= count:
            break
    return tasks
