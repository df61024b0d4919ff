"""The labeled interviews: what is graded of them, and which labels count."""

from __future__ import annotations

from rubric.model import Verdict
from tests.benchmarks import interviews

ROWS = interviews.rows()


def test_every_point_has_two_readers_labels_for_both_moments() -> None:
    assert len({row["interview"] for row in ROWS}) == 54
    points = [point for row in ROWS for point in row["points"]]
    labels = [label for point in points for moment in interviews.MOMENTS.values() for label in point[moment]]
    assert len(labels) == 4 * len(points) == 4 * 754
    assert set(labels) <= {Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED}
    assert all(point["made_in"] != [0, 0] for point in points if point["labels"] == ["met", "met"])


def test_the_first_answer_begins_all_that_was_said() -> None:
    for row in ROWS:
        first, whole = (interviews.said(row, moment) for moment in interviews.MOMENTS)
        assert first
        assert whole.startswith(first)


def test_points_of_which_the_readers_differ_are_left_out() -> None:
    whole = list(interviews.answers(ROWS, "after all answers"))
    kept = sum(len(answer.labels) for answer in whole)
    differ = sum(len(set(point["labels"])) > 1 for row in ROWS for point in row["points"])
    assert kept == 754 - differ
    assert 0 < differ < 30
    assert {answer.style for answer in whole} == {"behavioral", "coding", "concept", "debugging", "system design"}
    assert all(answer.text and len(answer.labels) == len(answer.criteria) for answer in whole)
