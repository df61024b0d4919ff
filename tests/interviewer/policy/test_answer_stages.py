"""The stages of a design and of a story."""

from __future__ import annotations

import pytest

from interviewer.dialogue import follow_up_words
from interviewer.policy.answer_stages import ORDER, Stage, stage_of
from interviewer.policy.follow_ups import next_follow_up
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.bank.parser import load_bank
from knowledge.model import Kind
from rubric.answer_kinds import Dimension, dimension_criterion, story_criteria
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict
from tests.interviewer.builders import question

ENGINE = Engine(judge="j", model="m", digest="", rubric_version="v")


def test_only_designs_and_stories_have_stages() -> None:
    point = Criterion(id="c", text="The learning rate is raised slowly.")
    assert [kind for kind in Kind if stage_of(kind, point) is not None] == [Kind.SYSTEM_DESIGN, Kind.BEHAVIORAL]


@pytest.mark.parametrize(
    ("dimension", "stage"),
    [
        (Dimension.REQUIREMENTS, Stage.REQUIREMENTS),
        (Dimension.NUMBERS, Stage.ESTIMATE),
        (Dimension.COMPONENTS, Stage.HIGH_LEVEL),
        (Dimension.TRADE_OFFS, Stage.TRADE_OFFS),
        (Dimension.FAILURE, Stage.FAILURE),
    ],
)
def test_the_dimensions_of_a_design_have_their_stage(dimension: Dimension, stage: Stage) -> None:
    assert stage_of(Kind.SYSTEM_DESIGN, dimension_criterion(dimension)) is stage


def test_a_story_goes_from_its_situation_to_what_was_learned() -> None:
    stages = [stage_of(Kind.BEHAVIORAL, criterion) for criterion in story_criteria()]
    assert {Stage.SITUATION, Stage.ACTION, Stage.RESULT, Stage.REFLECTION} == set(stages)
    assert stages[0] is Stage.SITUATION


def test_the_banks_designs_and_stories_spread_over_their_stages() -> None:
    for kind in (Kind.SYSTEM_DESIGN, Kind.BEHAVIORAL):
        rubrics = [found.rubric for found in load_bank() if found.kind is kind and found.rubric]
        stages = [stage_of(kind, criterion) for rubric in rubrics for criterion in rubric.criteria]
        assert None not in stages
        assert len(set(stages)) >= 4
        assert max(stages.count(stage) for stage in set(stages)) < 0.8 * len(stages)


def design(*dimensions: Dimension) -> Rubric:
    return Rubric(criteria=tuple(dimension_criterion(dimension) for dimension in dimensions))


def marks(rubric: Rubric, *met: int) -> Grade:
    verdicts = tuple(
        CriterionVerdict(
            id=criterion.id,
            credit=float(place in met),
            verdict=Verdict.MET if place in met else Verdict.MISSING,
            sure=True,
            evidence=((0, 1),) if place in met else (),
        )
        for place, criterion in enumerate(rubric.criteria)
    )
    return Grade(score=None, criteria=verdicts, engine=ENGINE, seconds=0.0)


def test_a_design_is_steered_to_the_first_stage_that_nothing_was_said_on() -> None:
    rubric = design(Dimension.FAILURE, Dimension.NUMBERS, Dimension.REQUIREMENTS, Dimension.COMPONENTS)
    asked = question("q", kind=Kind.SYSTEM_DESIGN, rubric=rubric)
    order = []
    while (drill := next_follow_up(asked, marks(rubric), drilled=set(order), left=4)) is not None:
        order.append(drill.criterion_id)
    stages = [stage_of(Kind.SYSTEM_DESIGN, rubric.criterion(name)) for name in order]
    assert stages == sorted(stages, key=lambda stage: ORDER[stage or Stage.FAILURE])
    # A stage that was spoken of waits for those that were not.
    twice = Rubric(
        criteria=(*rubric.criteria, rubric.criteria[2].model_copy(update={"id": "more"})),
    )
    asked = asked.model_copy(update={"rubric": twice})
    first = next_follow_up(asked, marks(twice, 2), drilled=(), left=4)
    assert first is not None
    assert stage_of(Kind.SYSTEM_DESIGN, twice.criterion(first.criterion_id)) is Stage.ESTIMATE


def test_the_follow_up_names_the_stage_it_steers_to() -> None:
    rubric = design(Dimension.NUMBERS)
    asked = question("q", kind=Kind.SYSTEM_DESIGN, rubric=rubric)
    said = follow_up_words.follow_up(asked, FollowUpKind.MISSING, rubric.criteria[0].id, quote="", turn=0, seed=0)
    assert said.startswith("Let's put some numbers on it.")
