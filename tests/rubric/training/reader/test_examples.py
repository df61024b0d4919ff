"""What is drawn to learn from is what its labels tell."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from rubric.grading.state_head import CLASSES
from rubric.training.reader import examples
from rubric.training.reader.examples import Corpus
from tests.rubric.training.reader.tiny import corpus, entry, names

MET, PARTIAL, MISSING, CONTRADICTED = range(len(CLASSES))
SIDES = {"right": MET, "part": PARTIAL, "almost": MISSING, "wrong": CONTRADICTED}
ANSWERED = {"right": MET, "half": PARTIAL, "silent": MISSING, "wrong": CONTRADICTED}


def drawn(count: int = 200, seed: int = 0):
    data = Corpus([each for each in corpus() if not each.held_out], seed)
    return [data.task(number) for number in range(count)]


def expected(criterion: str, words: str) -> int:
    """The verdict that the words' own texts tell."""
    (number, name) = re.match(r"The point (\d) of (\w+)", criterion).groups()
    said = words.lower()
    side = re.search(rf"(right|part|almost|wrong) of {name} number{number}\b", said)
    if side:
        return SIDES[side[1]]
    answered = re.search(rf"answered: (right|half|silent|wrong) {number}", said)
    if answered:
        return ANSWERED[answered[1]]
    return MET if f"reference {number}" in said else MISSING


def test_excerpts_have_the_labels_of_what_is_said():
    seen: Counter[int] = Counter()
    for task in drawn():
        asked = [(criterion, words) for criterion, beside in task.given for words in beside]
        assert [(expected(*each),) for each in asked] == task.allowed
        seen.update(label for (label,) in task.allowed)
    total = sum(seen.values())
    assert {label: round(count / total, 1) > 0 for label, count in seen.items()} == dict.fromkeys(range(4), True)
    assert seen[PARTIAL] < seen[CONTRADICTED]


def test_contrast_pairs_differ_in_one_sentence_and_the_first_earns():
    pairs = 0
    for task in drawn():
        words = [words for _, beside in task.given for words in beside]
        for better, worse in task.pairs:
            assert task.allowed[better][0] <= PARTIAL < task.allowed[worse][0]
            one, other = (words[place].lower().split("\n") for place in (better, worse))
            assert len(one) == len(other)
            pairs += 1
    assert pairs > 100


def test_the_same_number_draws_the_same_and_another_seed_another():
    assert drawn(20) == drawn(20)
    assert drawn(20) != drawn(20, seed=1)
    assert len({str(task) for task in drawn(50)}) > 40


def test_every_prompt_has_a_label():
    assert all(len(task.allowed) == sum(len(asked) for _, asked in task.given) > 0 for task in drawn())


def test_a_corpus_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no questions"):
        Corpus([], 0)


def test_what_is_measured_on_comes_in_natural_shares():
    held = [entry(name) for name in names(True, 8)]
    tasks = examples.natural_excerpt_tasks(held, 40, 0)
    kinds = {words.split(":")[0] for task in tasks for _, beside in task.given for words in beside}
    assert kinds == {"answered"}
    assert 40 <= sum(len(task.allowed) for task in tasks) < 60
    alone = examples.statement_tasks(held, 20, 0)
    assert {label for task in alone for (label,) in task.allowed} == {MET, MISSING, CONTRADICTED}


def test_where_there_is_no_near_miss_the_opposite_is_said():
    draw = random.Random(0)
    point = entry("x").points[0]
    bare = point.criterion.model_copy(update={"examples": point.criterion.examples.model_copy(update={"near": ()})})
    point = point.model_copy(update={"criterion": bare, "parts": ()})
    said, kind = examples._statement(point, list(CLASSES)[PARTIAL], draw)
    assert said.startswith("Wrong")
    assert CLASSES.index(kind) == CONTRADICTED
