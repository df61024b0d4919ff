"""Interviews with simulated candidates: what is promised of every interview holds in each of them."""

from __future__ import annotations

import pytest

from tests.benchmarks.simulate import WAYS, Held, candidate, hold, judged, leaks, simulate, tables, the_bank
from tests.interviewer.builders import timeless


@pytest.fixture(scope="module", params=[False, True], ids=["a judge that never errs", "a judge that errs"])
def held(request: pytest.FixtureRequest) -> list[Held]:
    """Five candidates, each in two ways."""
    return simulate(range(5), ("adaptive", "random"), errors=request.param, length=8)


@pytest.mark.by_number("interviewer/planning", "interviewer/policy", "knowledge/bank")
def test_nothing_is_asked_twice_and_nothing_given_away(held: list[Held]) -> None:
    assert [each.repeats for each in held] == [0] * 10
    assert [each.leaks for each in held] == [0] * 10


@pytest.mark.by_number("interviewer/planning", "interviewer/policy", "knowledge/bank")
def test_topics_take_turns_and_the_interview_has_its_length(held: list[Held]) -> None:
    adaptive = [each for each in held if each.way == "adaptive"]
    assert all(each.even for each in adaptive)
    assert all(each.length == (8, 8) for each in held)
    assert not all(each.even for each in held if each.way == "random")


def test_follow_ups_go_to_what_is_missing() -> None:
    exact = simulate(range(3), ("adaptive",), errors=False, length=6)
    assert sum(each.asked for each in exact) > 10
    assert [each.hits for each in exact] == [each.asked for each in exact]
    assert all(each.asked <= each.missing for each in exact)


def test_the_same_candidate_has_the_same_interview() -> None:
    shelf = the_bank()
    who = candidate(7, shelf, 5)
    once, again = (hold(who, shelf, "adaptive", errors=True) for _ in range(2))
    assert timeless(once) == timeless(again)
    assert timeless(once) != timeless(hold(candidate(8, shelf, 5), shelf, "adaptive", errors=True))


def test_a_leak_would_be_found() -> None:
    shelf = the_bank()
    events = list(hold(candidate(1, shelf, 2), shelf, "adaptive", errors=False))
    assert list(leaks(shelf, events)) == []
    asked = events[1]
    point = asked.question.rubric.criteria[0].text  # type: ignore[union-attr]
    assert list(leaks(shelf, [events[0], asked.model_copy(update={"why": f"Because {point}"}), *events[2:]]))
    reference = " ".join(asked.question.reference.split()[:30])  # type: ignore[union-attr]
    assert list(leaks(shelf, [events[0], asked.model_copy(update={"said": reference}), *events[2:]]))


def test_the_tables_name_every_way_and_the_judges_errors_are_the_measured_ones() -> None:
    lines = "\n".join(tables(simulate([0], errors=False, length=3)))
    assert all(f"| {way} |" in lines for way in WAYS)
    assert {str(label): len(rows) for label, rows in judged().items()} == {
        "met": 312,
        "partial": 124,
        "missing": 238,
        "contradicted": 202,
    }
