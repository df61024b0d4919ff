"""What to study next: its order, its dates, its exercises, and where every sentence of it comes from."""

from __future__ import annotations

from datetime import date, timedelta

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.review_schedule import first_review
from interviewer.report.analysis.study_plan import A_DAY, MOST, key_of
from interviewer.report.phrases import study
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings
from knowledge.bank.parser import load_bank
from knowledge.model import Kind, Level, Question
from rubric.model import Criterion, DesignStage, Examples, Rubric, Verdict
from tests.interviewer.report.hostile import HOSTILE, hostile_plan
from tests.interviewer.report.render.test_html import check
from tests.interviewer.report.sample_session import BUCKETS, LEAF, START, Telling, question, telling

DAY = START.date()


def report(tell: Telling, library: tuple[Question, ...] = ()) -> Findings:
    return findings("s1", tell.state, (), library)


def test_the_order_is_the_gaps_then_what_cost_most_then_what_is_unsure() -> None:
    found = report(telling()).study
    assert [(item.number, item.criterion_id) for item in found] == [
        (2, "average"),
        (2, "overlap"),
        (3, "pinned"),
        (4, "own"),
        (1, "hook"),
    ]
    assert [item.sure for item in found] == [True] * 4 + [False]
    assert [item.verdict for item in found[:4]] == [Verdict.CONTRADICTED, Verdict.MISSING, Verdict.MISSING, None]
    gaps = report(telling()).gaps
    assert [(gap.number, gap.criterion_id) for gap in gaps] == [(item.number, item.criterion_id) for item in found[:3]]


def test_each_item_is_backed_by_the_criterion_and_its_verdict() -> None:
    tell = telling()
    asked = {held.asked_id: held for held in tell.state.asked}
    for item in report(tell).study:
        held = asked[item.asked_id]
        assert held.question.rubric is not None
        criterion = held.question.rubric.criterion(item.criterion_id)
        assert item.say == criterion.text
        if item.verdict is None:
            assert not held.answers
        else:
            assert held.grades[-1].grade.verdict(item.criterion_id).verdict is item.verdict
        assert item.prompt in {criterion.probe, held.question.spoken}
        assert item.misconception in {"", held.question.misconception}
        assert bool(item.misconception) == (item.verdict is Verdict.CONTRADICTED)
        assert item.source == held.question.source
        assert item.key == key_of(held.question.id, criterion.id)


def test_what_is_not_graded_in_full_gives_nothing() -> None:
    tell = Telling()
    q = tell.ask(BUCKETS)
    tell.grade(q, tell.answer(q, "It depends."), [(Verdict.MISSING, 0.1, "")] * 3)
    assert len(report(tell).study) == 3
    tell.answer(q, "By an all-reduce.")
    assert report(tell).study == ()


def test_the_persons_own_verdict_decides_where_there_is_one() -> None:
    tell = telling()
    tell.self_assess("q1", "hook", Verdict.MET)
    assert "hook" not in {item.criterion_id for item in report(tell).study}
    tell.self_assess("q1", "hook", Verdict.CONTRADICTED)
    (settled,) = (item for item in report(tell).study if item.criterion_id == "hook")
    assert (settled.verdict, settled.sure) == (Verdict.CONTRADICTED, True)


def test_a_long_list_is_cut_and_spread_over_days() -> None:
    tell = Telling()
    for number in range(4):
        q = tell.ask(question(f"long-{number}", [(f"c{at}", f"Point {at}.", 1) for at in range(5)]))
        tell.grade(q, tell.answer(q, "No idea."), [(Verdict.MISSING, 0.0, "")] * 5)
    found = report(tell)
    assert (len(found.study), found.study_left_out) == (MOST, 8)
    assert [item.study_on for item in found.study] == [DAY + timedelta(days=place // A_DAY) for place in range(MOST)]
    assert all(item.review_on > item.study_on for item in found.study)
    assert "8 more points did not fit in the plan." in render_markdown(found)


@pytest.mark.parametrize(
    ("kind", "does"),
    [
        (Kind.CONCEPT, "Answer aloud"),
        (Kind.CODING, "lines of code"),
        (Kind.DEBUGGING, "how you would check it"),
        (Kind.SYSTEM_DESIGN, "the reason for your choice"),
        (Kind.BEHAVIORAL, "a name, a date, or a figure"),
    ],
)
def test_the_exercise_fits_the_kind(kind: Kind, does: str) -> None:
    tell = Telling()
    q = tell.ask(question("k", [("c", "The point.", 1)], kind=kind))
    tell.grade(q, tell.answer(q, "No."), [(Verdict.MISSING, 0.0, "")])
    (item,) = report(tell).study
    assert does in item.exercise
    assert "two minutes" in item.exercise.lower()


@pytest.mark.parametrize(
    ("stage", "does"),
    [
        (DesignStage.REQUIREMENTS, "how it shapes your design"),
        (DesignStage.ESTIMATE, "Do the arithmetic aloud"),
        (DesignStage.DEEP_DIVE, "the reason for your choice"),
        (DesignStage.TRADE_OFFS, "the reason for your choice"),
    ],
)
def test_the_exercise_for_a_point_of_a_design_fits_its_part(stage: DesignStage, does: str) -> None:
    asked = question("k", [("c", "Quality is judged by precision and recall.", 1)], kind=Kind.SYSTEM_DESIGN)
    assert asked.rubric is not None
    tagged = tuple(point.model_copy(update={"stage": stage}) for point in asked.rubric.criteria)
    tell = Telling()
    q = tell.ask(asked.model_copy(update={"rubric": asked.rubric.model_copy(update={"criteria": tagged})}))
    tell.grade(q, tell.answer(q, "No."), [(Verdict.MISSING, 0.0, "")])
    (item,) = report(tell).study
    assert does in item.exercise
    assert "Sketch" not in item.exercise


@pytest.mark.parametrize(("kind", "wrong"), [(Kind.CONCEPT, True), (Kind.BEHAVIORAL, False)])
def test_nobody_is_to_say_what_is_wrong_with_their_story(kind: Kind, *, wrong: bool) -> None:
    tell = Telling()
    q = tell.ask(question("k", [("c", "The point.", 1)], kind=kind))
    said = "I never made a mistake."
    tell.grade(q, tell.answer(q, said), [(Verdict.CONTRADICTED, 0.0, said)])
    (item,) = report(tell).study
    assert ("what you said is wrong" in item.exercise) is wrong
    assert bool(report(tell).questions[0].corrections) is wrong


def _probed(name: str, text: str, *, topic: str = "autograd", level: Level = Level.MID) -> Question:
    point = Criterion(id="c", text=text, probe="And then?", examples=Examples(met=("Like this.",)))
    return LEAF.model_copy(
        update={"id": name, "topic": topic, "level": level, "rubric": Rubric(criteria=(point,), origin="bank")}
    )


def test_another_question_of_the_topic_that_touches_the_point_is_retried_else_the_same() -> None:
    point = "A hook sees the gradient of an intermediate tensor."
    asked = _probed("asked", point)
    tell = Telling()
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, "No."), [(Verdict.MISSING, 0.0, "")])
    empty = {"reference": "", "text": "Well?"}
    near = _probed("near", "A hook on an intermediate tensor can change its gradient.").model_copy(update=empty)
    far = _probed("far", "Pickle executes code.").model_copy(update=empty)
    other = near.model_copy(update={"id": "other", "topic": "serving"})
    senior = near.model_copy(update={"id": "senior", "level": Level.SENIOR})
    for library, expected in (
        ((), ("asked", True)),
        ((asked, far, other), ("asked", True)),
        ((asked, far, senior, near, other), ("near", False)),
    ):
        (item,) = report(tell, library).study
        assert (item.retry.question_id, item.retry.same) == expected
    assert (item.prompt, item.example) == ("And then?", "Like this.")


def test_a_point_of_a_story_is_told_in_that_story_again() -> None:
    point, story = "Names what they themselves decided.", {"kind": Kind.BEHAVIORAL}
    tell = Telling()
    q = tell.ask(_probed("asked", point).model_copy(update=story))
    tell.grade(q, tell.answer(q, "No."), [(Verdict.MISSING, 0.0, "")])
    (item,) = report(tell, (_probed("near", point).model_copy(update=story),)).study
    assert (item.retry.question_id, item.retry.same) == ("asked", True)


def test_with_the_bank_the_plan_names_questions_that_can_be_asked() -> None:
    bank = tuple(load_bank())
    known = {held.id for held in bank} | {held.question.id for held in telling().state.asked}
    found = report(telling(), bank).study
    assert {item.retry.question_id for item in found} <= known
    assert any(not item.retry.same for item in found)
    other = [item.retry.question_id for item in found if not item.retry.same]
    assert len(set(other)) == len(other)


@pytest.mark.parametrize(
    ("verdict", "days"),
    [
        (Verdict.CONTRADICTED, 1),
        (Verdict.MISSING, 1),
        (None, 1),
        (Verdict.UNSCORED, 1),
        (Verdict.PARTIAL, 1),
        (Verdict.MET, 2),
    ],
)
def test_the_first_interval_is_that_of_the_scheduler(verdict: Verdict | None, days: int) -> None:
    assert first_review(verdict, DAY) - DAY == timedelta(days=days)


@given(st.dates(min_value=date(2000, 1, 1), max_value=date(2100, 1, 1)), st.sampled_from([*Verdict, None]))
def test_a_review_is_the_same_every_time_and_never_before_the_study(studied: date, verdict: Verdict | None) -> None:
    assert first_review(verdict, studied) == first_review(verdict, studied) > studied


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_shows_as_text_in_the_plan(name: str) -> None:
    found = hostile_plan(HOSTILE[name])
    assert found.study
    check(render_html(found), 1)


def test_every_form_has_the_plan() -> None:
    found = report(telling())
    html5lib.HTMLParser(strict=True).parse(render_html(found))
    for text in (render_html(found), render_markdown(found)):
        assert "Your plan" in text
        assert "Study March 2, review March 3" in text
        assert "export-study s1" in text.replace("\\", "")
        assert "app.py interview --question ddp-buckets" in text.replace("\\", "")
    assert Findings.model_validate_json(render_json(found)).study == found.study


def test_an_interview_without_misses_has_no_plan() -> None:
    tell = Telling()
    q = tell.ask(question("k", [("c", "The point.", 1)]))
    tell.grade(q, tell.answer(q, "The point."), [(Verdict.MET, 1.0, "The point.")])
    assert report(tell).study == ()
    assert study.NOTHING_TO_STUDY in render_html(report(tell))
