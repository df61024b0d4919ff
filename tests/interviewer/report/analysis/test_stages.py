"""The parts of a story and of a design, computed from the verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from interviewer.report.analysis import stages as module
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.stages import parts_of
from interviewer.report.phrases.study import told_stages
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings
from knowledge.bank.parser import load_bank
from knowledge.model import Kind, Question
from rubric.answer_kinds import story_criteria
from rubric.authoring.derive import derive_rubric
from rubric.model import AskedBy, DesignStage, Rubric, Verdict
from tests.interviewer.report.sample_session import Telling, question, telling

TABLE = yaml.safe_load(Path(module.__file__).with_name("stages.yaml").read_text(encoding="utf-8"))
BANK = {held.id: held for held in load_bank()}
MET, PARTIAL, MISSING, UNSCORED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.UNSCORED
CREDIT = {MET: 0.9, PARTIAL: 0.5, MISSING: 0.1, UNSCORED: None}


def graded(asked: Question, verdicts: list[Verdict]) -> Findings:
    tell = Telling()
    q = tell.ask(asked)
    marks = [(verdict, CREDIT[verdict], "So" if verdict in {MET, PARTIAL} else "") for verdict in verdicts]
    tell.grade(q, tell.answer(q, "So it was."), marks)
    return findings("s1", tell.state)


def states(found: Findings) -> dict[str, str]:
    return {stage.name: str(stage.state) for stage in found.questions[0].stages}


@pytest.mark.parametrize(("part", "kind"), [("story", Kind.BEHAVIORAL), ("design", Kind.SYSTEM_DESIGN)])
def test_the_table_names_criteria_that_the_bank_has(part: str, kind: Kind) -> None:
    for name, parts in TABLE[part]["questions"].items():
        rubric = BANK[name].rubric
        assert BANK[name].kind is kind
        assert rubric is not None
        assert list(parts) == [point.id for point in rubric.criteria], name
        assert set(parts.values()) <= set(TABLE[part]["parts"]), name
    assert set(TABLE[part]["ids"].values()) <= set(TABLE[part]["parts"])


def all_asked_for(held: Question) -> Question:
    """A question whose opening asks for every point."""
    assert held.rubric is not None
    points = tuple(point.model_copy(update={"asked_by": AskedBy.OPENING}) for point in held.rubric.criteria)
    return held.model_copy(update={"rubric": held.rubric.model_copy(update={"criteria": points})})


def test_a_story_of_the_bank_is_told_part_by_part() -> None:
    found = graded(all_asked_for(BANK["technical-disagreement"]), [MET, MET, MISSING, UNSCORED, MISSING])
    assert states(found) == {
        "situation": "partly made",
        "task": "not asked",
        "action": "made",
        "result": "not scored",
        "lesson": "missing",
    }
    assert [stage.wanting for stage in found.questions[0].stages] == [("c2",), (), (), (), ("c5b",)]


def test_a_part_that_only_an_unasked_probe_asks_for_is_not_missing() -> None:
    found = graded(BANK["technical-disagreement"], [MET, MET, MISSING, UNSCORED, MISSING])
    assert states(found)["situation"] == "made"
    assert states(found)["lesson"] == "not asked"


def test_a_story_of_a_document_is_told_by_the_general_criteria() -> None:
    asked = question("mine", [("c", "x", 1)], kind=Kind.BEHAVIORAL)
    asked = asked.model_copy(update={"rubric": Rubric(criteria=story_criteria(), origin="given")})
    assert states(graded(asked, [MET, PARTIAL, MET, MISSING, MISSING, MET])) == {
        "situation": "made",
        "task": "partly made",
        "action": "partly made",
        "result": "missing",
        "lesson": "made",
    }


def test_a_design_of_a_document_is_sorted_by_the_dimensions_it_was_derived_with() -> None:
    reference = (
        "Ask who calls it and what latency is required. One replica does 200 requests a second, so 50 replicas are "
        "needed for 10,000. A load balancer stands before the model servers. A queue feeds the workers. "
        "If a zone fails, the others take over."
    )
    rubric = derive_rubric("Design a model server.", reference, "system design")
    asked = question("mine", [("c", "x", 1)], kind=Kind.SYSTEM_DESIGN).model_copy(update={"rubric": rubric})
    found = graded(asked, [MET] * len(rubric.criteria))
    assert states(found) == {
        "requirements": "made",
        "estimate": "made",
        "high level": "made",
        "deep dive": "not asked",
        "failure and operations": "made",
        "trade-offs": "made",
    }


def test_other_kinds_and_what_is_not_graded_have_no_parts() -> None:
    assert all(found.stages == () for found in findings("s1", telling().state).questions)
    assert graded(BANK["staying-current"], [MET] * 5).questions[0].stages == ()


def test_every_form_shows_them() -> None:
    found = graded(BANK["design-ranking-pipeline"], [MET, MET, PARTIAL, MISSING, MET, MET])
    for text in (render_html(found), render_markdown(found)):
        assert "Your design, part by part" in text
        assert "Failure and operations" in text
        assert "Trade-offs:" not in text, "no point asks for it, so nobody knows whether it was told"
    assert "Failure and operations: 2 of 3 points made (not yet: point 3)" in render_markdown(found)


def test_a_part_is_told_by_marks_that_are_sure_alone() -> None:
    tell = Telling()
    q = tell.ask(all_asked_for(BANK["technical-disagreement"]))
    marks = [(MET, 0.9, "So"), (MET, 0.8, "So"), (MET, 0.9, "So"), (MISSING, 0.1, ""), (MET, 0.7, "So")]
    tell.grade(q, tell.answer(q, "So it was."), marks, unsure=("c2", "c5b"))
    found = findings("s1", tell.state)
    assert states(found)["situation"] == "unsure"
    assert states(found)["lesson"] == "unsure"
    told = dict(told_stages(found.questions[0]))
    assert told["Situation"] == "1 of 2 points made, 1 likely made"
    assert told["Lesson"] == "unsure"
    assert told["Result"] == "0 of 1 point made (not yet: point 4)"
    assert "Task" not in told


@pytest.mark.parametrize("name", ["quality-against-speed", "training-efficiency-story", "custom-layer-for-business"])
def test_what_is_no_lesson_is_not_told_as_one(name: str) -> None:
    found = graded(all_asked_for(BANK[name]), [MET] * 5)
    assert "Lesson" not in dict(told_stages(found.questions[0]))


def test_an_entry_says_itself_which_part_each_point_belongs_to() -> None:
    asked = BANK["design-llm-training-cluster"]
    assert asked.rubric is not None
    told = states(graded(asked, [MET] * len(asked.rubric.criteria)))
    assert list(told) == [str(stage) for stage in DesignStage]
    assert set(told.values()) == {"made"}
    assert parts_of(asked, ()) == {point.id: str(point.stage) for point in asked.rubric.criteria}
