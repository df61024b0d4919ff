"""What a second judge gains: the arithmetic of the benchmark, and one small run of it."""

from __future__ import annotations

from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.judges import Throughput, hits, interleaved, lines, throughput


def test_a_hit_is_a_beginning_that_the_same_judge_has_read() -> None:
    beginnings = {"1": "a", "2": "b", "3": "a", "4": "c"}
    assert hits(["1", "2", "3", "4"], beginnings) == 1
    assert hits(["3", "1", "1"], beginnings) == 2
    assert hits([], beginnings) == 0


def test_answers_to_one_question_are_far_apart() -> None:
    some = [each.question_id for each in interleaved(read_bank_answers(), 12)]
    assert len(some) == 12
    assert some[:3] == some[3:6] == some[6:9] == some[9:]
    assert len(set(some)) == 3


def test_every_request_is_read_by_one_of_the_judges() -> None:
    requests = [tuple(f"Why?\n\nAnswer {number}, point {point}" for point in "ab") for number in range(8)]
    found = throughput(requests, 2, pace=0.01)
    assert sum(found.shares) == 16
    assert min(found.shares) > 0
    # Each judge reads the beginning once for the first time.
    assert found.hits == 14 / 16
    assert found.answers_s > 0


def test_the_table_compares_with_one_judge() -> None:
    one, two = Throughput(1, 0.5, 0.9, (10,)), Throughput(2, 1.0, 0.81, (5, 5))
    assert list(lines([one, two]))[2:] == ["| 1 | 0.50 | 1.00 | 0.900 | 1.000 |", "| 2 | 1.00 | 2.00 | 0.810 | 0.900 |"]
