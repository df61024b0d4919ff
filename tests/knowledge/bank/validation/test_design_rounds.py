from __future__ import annotations

from collections.abc import Callable

import pytest

from knowledge.bank.parser import load_bank
from knowledge.bank.validation.design_rounds import is_round, problems_of_round, problems_of_rounds
from knowledge.model import Kind, Question
from rubric.model import AskedBy, Criterion, DesignStage

BANK = load_bank()
ROUND = next(asked for asked in BANK if asked.id == "design-llm-training-cluster")
Change = Callable[[Criterion], dict[str, object]]


def with_criteria(change: Change) -> Question:
    """The round with its criteria changed."""
    assert ROUND.rubric is not None
    criteria = tuple(point.model_copy(update=change(point)) for point in ROUND.rubric.criteria)
    return ROUND.model_copy(update={"rubric": ROUND.rubric.model_copy(update={"criteria": criteria})})


def test_the_rounds_of_the_bank_have_what_they_need() -> None:
    assert [problem for asked in BANK for problem in problems_of_round(asked)] == []
    assert list(problems_of_rounds(BANK)) == []


def test_every_criterion_of_our_designs_has_a_stage() -> None:
    designs = [asked for asked in BANK if asked.source.path.startswith("system-design")]
    assert len(designs) >= 20
    assert all(point.stage for asked in designs if asked.rubric for point in asked.rubric.criteria)


def test_too_few_rounds_are_told() -> None:
    few = [asked for asked in BANK if not is_round(asked)]
    assert list(problems_of_rounds(few)) == ["0 design rounds, fewer than 16"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"minutes": 12}, "12 minutes, not 25 to 45"),
        ({"change": ""}, "no change of requirements"),
        ({"deep_dives": ("one",)}, "no two deep dives"),
        ({"kind": Kind.CONCEPT}, "and no design"),
        ({"change": "", "deep_dives": ()}, "criteria of a change or of a deep dive, and neither"),
    ],
)
def test_what_a_round_lacks_is_named(changes: dict[str, object], problem: str) -> None:
    found = list(problems_of_round(ROUND.model_copy(update=changes)))
    assert any(problem in line for line in found), found


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda point: {"stage": None} if point.id == "c1" else {}, "criteria without a stage: c1"),
        (lambda point: {"stage": DesignStage.FAILURE}, "no criterion of the stage requirements"),
        (lambda point: {"stage": DesignStage.FAILURE}, "an estimate outside of its stage"),
        (lambda point: {"asked_by": AskedBy.PROBE}, "no criterion that the second deep dive asks for"),
        (lambda point: {"asked_by": AskedBy.FIRST_DIVE}, "deep dives ask for the points of their stage"),
        (lambda point: {"estimate": None}, "0 estimates, fewer than 2"),
        (
            lambda point: {"estimate": point.estimate.model_copy(update={"value": 7.0})} if point.estimate else {},
            "statements “met” come to the number",
        ),
        (
            lambda point: {"examples": point.examples.model_copy(update={"near": ("It is 20 days.",)})},
            "a statement that is not “met” comes to the number",
        ),
    ],
)
def test_what_its_criteria_lack_is_named(change: Change, problem: str) -> None:
    found = list(problems_of_round(with_criteria(change)))
    assert any(problem in line for line in found), found
