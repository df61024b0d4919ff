"""The reader's measures belong to the right points, and no regression sees the question that it is measured on."""

from __future__ import annotations

import numpy as np

from rubric.grading.state_head import CLASSES
from rubric.model import Criterion, Verdict
from rubric.training.labeled_answers import Answer
from tests.benchmarks import metrics as m
from tests.benchmarks import reader

CRITERIA = tuple(Criterion(id=f"c{number}", text=f"Point {number}.") for number in range(2))


def body() -> reader.Body:
    """Two questions, the answers to the first not side by side."""
    answers = [
        Answer(
            question_id=name,
            question=f"Why {name}?",
            criteria=CRITERIA,
            style="",
            family="bank",
            text=f"answer {number}",
            labels=(Verdict.MET, Verdict.MISSING),
        )
        for number, name in enumerate(("a", "b", "a"))
    ]
    return reader.Body("ours", answers)


def test_rows_are_the_points_of_one_answer_after_another():
    data = body()
    words = [[f"words {answer} {point}" for point in range(2)] for answer in range(3)]
    found = {}
    for task, rows in reader.excerpt_tasks(data, words):
        asked = [(point, text) for point, beside in task.given for text in beside]
        found |= dict(zip(rows, asked, strict=True))
    assert found == {
        2 * answer + point: (f"Point {point}.", f"words {answer} {point}") for answer in range(3) for point in range(2)
    }


def test_a_regression_that_is_measured_has_not_seen_the_question():
    draw = np.random.default_rng(0)
    questions = [f"q{number // 8}" for number in range(320)]
    labels = np.array([draw.permutation(4).tolist() * 2 for _ in range(40)]).ravel()
    # Each question has a feature of its own that gives its labels away, and nothing else does.
    leaked = np.zeros((320, 40), np.float32)
    leaked[np.arange(320), np.arange(320) // 8] = labels
    found = m.auc(m.credited(labels), m.credit(reader.crossed(leaked, labels, questions)))
    seen = m.auc(m.credited(labels), m.credit(reader.weighed((leaked, labels), leaked)))
    assert found < 0.6 < 0.7 < seen
    told = np.eye(len(CLASSES), dtype=np.float32)[labels]
    assert m.kappa(labels, reader.crossed(told, labels, questions)) == 1


def test_a_row_of_the_table_tells_each_figure():
    data = body()
    chances = np.array([[0.9, 0, 0.1, 0], [0.2, 0, 0.8, 0]] * 3, np.float32)
    assert reader.line("x", data, chances).startswith("| x | 1.000 (1.00-1.00) | 1.000 | 0.00 |")
