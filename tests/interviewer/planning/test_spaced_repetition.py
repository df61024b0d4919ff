"""What was missed comes back, in new words, when it is about to be forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.engine.service import InterviewService
from interviewer.planning.prior_sessions import past
from interviewer.planning.shared_facts import Key, same_facts
from interviewer.planning.spaced_repetition import (
    DRILL_POINTS,
    daily_drill,
    due,
    due_by_topic,
    due_words,
    points,
    questions_for,
    reworded,
    with_reworded,
)
from interviewer.session.events import CriterionSelfAssessed
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from knowledge.bank.parser import load_bank
from rubric.model import AskedBy, Criterion, Rubric, Verdict
from tests.interviewer.builders import START, KeywordGrader, Shelf, interview, question

Q = question("q", keywords=("alpha", "beta"))
DAY = 86_400.0
ALPHA, BETA = Key("q", "c-alpha"), Key("q", "c-beta")


def later(days: float) -> timedelta:
    return timedelta(days=days)


def due_keys(states: Sequence[State], days: float) -> list[Key]:
    return [point.key for point in due(points(states), START + later(days))]


def test_a_missed_point_is_due_the_next_day_and_a_met_one_never_comes_back() -> None:
    held = interview((Q, ["alpha"]))
    assert due_keys([held], 0) == []
    assert due_keys([held], 1) == [BETA]
    assert due_keys([held], 900) == [BETA]


@pytest.mark.parametrize(
    ("answers", "back"),
    [
        (["alpha never beta"], True),
        (["alpha perhaps beta"], True),
        (["alpha", "beta"], True),
        (["alpha beta"], False),
        ([], False),
    ],
    ids=["contradicted", "partial", "met after a follow-up", "met alone", "skipped"],
)
def test_whatever_was_not_met_alone_comes_back(answers: list[str], back: bool) -> None:
    assert (BETA in due_keys([interview((Q, answers))], 30)) is back


def test_the_better_it_went_the_later_it_comes_back() -> None:
    missed = interview((Q, ["alpha"]))
    again = [interview((Q, [text]), begin=DAY) for text in ("alpha", "alpha perhaps beta", "alpha beta")]
    dues = [next(p.due for p in points([missed, second]) if p.key == BETA) for second in again]
    assert dues == sorted(dues)
    assert dues[0] < dues[2]
    (point,) = [p for p in points([missed, again[2]]) if p.key == BETA]
    assert (point.reviews, point.lapses, point.topic) == (2, 1, "autograd")


def test_what_the_judge_was_not_sure_of_counts_only_once_it_is_settled() -> None:
    held = interview((Q, ["alpha"]))
    asked = held.asked[0]
    grade = asked.grades[0].grade
    unsure = tuple(verdict.model_copy(update={"sure": False}) for verdict in grade.criteria)
    graded = asked.grades[0].model_copy(update={"grade": grade.model_copy(update={"criteria": unsure})})
    doubted = asked.model_copy(update={"grades": (graded,)})
    assert points([held.model_copy(update={"asked": (doubted,)})]) == ()
    own = CriterionSelfAssessed(
        id="own", at=START, asked_id=asked.asked_id, criterion_id="c-beta", verdict=Verdict.MISSING
    )
    settled = doubted.model_copy(update={"self_assessed": (own,)})
    assert due_keys([held.model_copy(update={"asked": (settled,)})], 1) == [BETA]


def test_ungraded_answers_and_derived_rubrics_are_no_reviews() -> None:
    assert Q.rubric is not None
    derived = Q.model_copy(update={"rubric": Q.rubric.model_copy(update={"origin": "derived"})})
    assert points([interview((Q, ["alpha"]), grade=False), interview((derived, ["alpha"])), fold([])]) == ()


ANSWERS = st.lists(st.sampled_from(["alpha", "beta", "alpha beta", "never alpha", "perhaps beta", "no"]), max_size=2)


@settings(max_examples=40)
@given(st.lists(st.tuples(ANSWERS, st.integers(0, 60)), max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_journals_does_not_matter_and_what_is_due_stays_due(
    held: list[tuple[list[str], int]], rng: object
) -> None:
    # A second each apart, so that no two reviews fall together.
    states = [interview((Q, texts), begin=day * DAY + place) for place, (texts, day) in enumerate(held)]
    found = points(states)
    mixed = states[:]
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert points(mixed) == found
    days = [set(due(found, START + later(day))) for day in (0, 30, 90, 3650)]
    assert all(before <= after for before, after in pairwise(days))
    for point in found:
        assert point.due.date() > point.reviewed.date()


def test_counts_by_topic_and_in_words() -> None:
    other = question("other", topic="training")
    found = due(points([interview((Q, ["no"]), (other, ["alpha"]))]), START + later(2))
    assert due_by_topic(found) == {"autograd": 2, "training": 1}
    assert [due_words(count) for count in (0, 1, 7)] == [
        "No points due today",
        "1 point due today",
        "7 points due today",
    ]


def test_a_question_cut_down_to_a_point_asks_its_probe_and_grades_it_alone() -> None:
    assert Q.rubric is not None
    left = [point.model_copy(update={"asked_by": AskedBy.PROBE}) for point in Q.rubric.criteria]
    assert reworded(Q.model_copy(update={"rubric": Rubric(criteria=left)}), "c-beta").rubric.criteria[0].asked_by == (
        AskedBy.OPENING
    ), "its probe is the question now"
    small = reworded(Q, "c-beta")
    assert small.id == "q#c-beta"
    assert "What about the thing after b?" in small.spoken
    assert small.spoken != Q.spoken
    assert small.rubric is not None
    assert [(criterion.id, criterion.probe) for criterion in small.rubric.criteria] == [("c-beta", "")]
    with pytest.raises(KeyError):
        reworded(Q, "c-none")
    assert with_reworded([Q], ["q", "q#c-beta", "q#c-none", "gone#c-beta"]) == (Q, small)


def test_another_question_on_the_same_fact_is_preferred_and_shares_the_card() -> None:
    def on_scaling(name: str, text: str) -> object:
        return question(name, rubric=Rubric(criteria=(Criterion(id="c1", text=text, probe="When?"),)))

    one = on_scaling("one", "The gradients must be unscaled before they are clipped.")
    two = on_scaling("two", "Gradients are unscaled before they are clipped to the norm.")
    facts = same_facts([one, two, Q])  # type: ignore[list-item]
    assert facts == {Key("one", "c1"): Key("one", "c1"), Key("two", "c1"): Key("one", "c1")}
    missed = [interview((one, ["no"]))]  # type: ignore[arg-type]
    found = due(points(missed, facts), START + later(1))
    assert questions_for(found, [one, two, Q], facts) == (two,)  # type: ignore[list-item]
    assert questions_for(found, [one, Q], facts) == (reworded(one, "c1"),)  # type: ignore[list-item,arg-type]
    assert questions_for(found, [Q], facts) == ()
    both = [*missed, interview((two, ["no"]), begin=DAY)]  # type: ignore[arg-type]
    assert [(point.key, point.reviews) for point in points(both, facts)] == [(Key("two", "c1"), 2)]


def test_the_daily_drill_takes_the_most_urgent_points() -> None:
    asked = [question(f"q{number}") for number in range(4)]
    states = [interview((each, ["no"]), begin=place * DAY) for place, each in enumerate(asked)]
    found = due(points(states), START + later(30))
    plan = daily_drill(found, asked, {})
    assert plan is not None
    assert plan.question_ids[:2] == ("q0#c-alpha", "q0#c-beta")
    assert (len(plan.question_ids), plan.length, plan.follow_ups) == (DRILL_POINTS, DRILL_POINTS, 0)
    assert daily_drill((), asked, {}) is None


def test_a_drill_is_held_like_any_interview_and_moves_its_points_on(tmp_path: Path) -> None:
    missed = interview((Q, ["alpha"]))
    plan = daily_drill(due(points([missed]), START + later(1)), [Q], {})
    assert plan is not None
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(
            journal, Shelf([Q]), KeywordGrader(), patience_s=None, clock=lambda: START + later(1)
        ) as service,
    ):
        session = service.start(plan)
        service.answer(session, "beta", "r1")
        state = service.advance(session)
    assert [asked.question.id for asked in state.asked] == ["q#c-beta"]
    assert state.ended is not None
    (point,) = [point for point in points([missed, state]) if point.key == BETA]
    assert point.reviews == 2
    assert BETA not in [point.key for point in due(points([missed, state]), START + later(1))]


def test_what_is_due_opens_the_next_interview_where_the_plan_wants_it(tmp_path: Path) -> None:
    other = {"rubric": Rubric(criteria=(Criterion(id="c1", text="Something else."),))}
    fresh = [question(f"fresh-{number}", text=f"Number {number}: why {number * 7}?", **other) for number in range(3)]
    now = START
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([Q, *fresh]), KeywordGrader(), patience_s=None, clock=lambda: now) as service,
    ):
        first = service.start(Plan(question_ids=("q",)))
        service.answer(first, "alpha", "r1")
        service.advance(first)
        service.answer(first, "no", "r2")
        assert service.advance(first).ended is not None
        now = START + later(2)
        plain = service.state(service.start(Plan(length=2)))
        second = service.start(Plan(length=2, reviews=1))
        reviewing = service.skip(second, "s")
    assert "#" not in plain.asked[0].question.id
    assert reviewing.asked[0].question.id == "q#c-beta"
    assert "due for review today" in reviewing.asked[0].turns[0].why  # type: ignore[union-attr]
    assert "#" not in reviewing.asked[1].question.id


def test_without_earlier_interviews_nothing_comes_in() -> None:
    assert past([], START, [Q]) == ((), (), ())
    known = past([interview((Q, ["alpha"]))], START + later(1), [Q])
    assert [question.id for question in known.due] == ["q#c-beta"]
    assert len(known.evidence) == 1


def test_every_point_of_the_bank_can_come_back_in_other_words() -> None:
    bank = load_bank()
    for held in bank:
        assert held.rubric is not None
        for criterion in held.rubric.criteria:
            small = reworded(held, criterion.id)
            assert criterion.probe in small.text
            assert criterion.text not in small.spoken
    leads = same_facts(bank).items()
    unscaled = {key.question_id for key, lead in leads if lead == ("training-clip-norm-value", "c4")}
    assert unscaled == {"training-clip-norm-value", "training-fp16-nan"}
