"""How able a person is, from what happened in interviews."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.planning.ability import (
    DIFFICULTY,
    EXACT,
    HALF_LIFE_DAYS,
    MEASURED,
    Estimate,
    Evidence,
    aged,
    evidence,
    standing,
)
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from knowledge.model import Level
from rubric.model import Engine, Verdict
from tests.interviewer.builders import START, interview, question

Q = question("q")
CREDITS = st.floats(0, 1)
LEVELS = st.sampled_from(Level)
EVIDENCE = st.builds(
    Evidence,
    topic=st.sampled_from(["autograd", "training", "serving"]),
    level=st.none() | LEVELS,
    credit=CREDITS,
    points=st.floats(0.5, 6),
    ease=st.sampled_from([0.0, 1.0]),
    hearing=st.sampled_from([EXACT, MEASURED]),
    at=st.integers(0, 1000).map(lambda days: START - timedelta(days=days)),
)


def told(credit: float, *, topic: str = "autograd", level: Level | None = Level.MID, points: float = 5) -> Evidence:
    return Evidence(topic=topic, level=level, credit=credit, points=points, at=START)


def mean_after(*answers: str) -> float:
    return Estimate(evidence(interview((Q, answers)))).of("autograd").mean


def test_before_any_answer_the_plans_level_is_expected_and_little_is_known() -> None:
    found = Estimate(center=DIFFICULTY[Level.SENIOR]).overall
    assert found.mean == pytest.approx(DIFFICULTY[Level.SENIOR], abs=0.01)
    assert found.high - found.mean == pytest.approx(found.mean - found.low, abs=0.05)
    assert found.high - found.low > 3
    assert found.questions == 0


@settings(max_examples=40)
@given(st.lists(EVIDENCE, max_size=6), CREDITS, CREDITS)
def test_a_better_answer_never_lowers_an_ability(before: list[Evidence], one: float, other: float) -> None:
    low, high = sorted([one, other])
    for topic in ("autograd", "serving"):
        worse = Estimate([*before, told(low)]).of(topic).mean
        assert worse <= Estimate([*before, told(high)]).of(topic).mean + 1e-9


@settings(max_examples=40)
@given(st.lists(EVIDENCE, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_what_is_told_does_not_matter(all_told: list[Evidence], rng: object) -> None:
    mixed = all_told[:]
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert Estimate(mixed).topics == Estimate(all_told).topics
    assert Estimate(mixed).overall == Estimate(all_told).overall


@settings(max_examples=40)
@given(st.lists(EVIDENCE, max_size=8), LEVELS)
def test_an_interval_holds_its_mean_and_an_answer_tells_something(all_told: list[Evidence], level: Level) -> None:
    estimate = Estimate(all_told)
    for found in (*estimate.topics.values(), estimate.of("never asked"), estimate.overall):
        assert found.low < found.mean < found.high
    assert estimate.gain("autograd", level) > 0


def test_more_answers_make_surer_and_the_same_credit_at_a_higher_level_means_more() -> None:
    one, many = Estimate([told(0.5)]).of("autograd"), Estimate([told(0.5)] * 6).of("autograd")
    assert many.high - many.low < 0.7 * (one.high - one.low)
    harder = Estimate([told(0.5, level=Level.SENIOR)]).of("autograd")
    unknown = Estimate([told(0.5, level=None)]).of("autograd")
    assert harder.mean > one.mean + 0.5
    assert unknown.high - unknown.low > one.high - one.low


def test_a_topic_without_an_answer_leans_on_the_others_and_one_with_many_on_its_own() -> None:
    strong = [told(1.0)] * 4
    lent = Estimate(strong)
    assert 0.5 < lent.of("training").mean < lent.of("autograd").mean
    weak = Estimate([*strong, *[told(0.0, topic="training")] * 4])
    assert weak.of("training").mean < 0 < weak.of("Autograd").mean
    assert weak.of("training").mean < weak.overall.mean < weak.of("autograd").mean
    assert (weak.of("training").questions, weak.of("serving").questions) == (1, 0)


def test_alone_counts_more_than_with_help_and_help_more_than_nothing() -> None:
    alone, helped, missed = mean_after("alpha beta"), mean_after("alpha", "beta"), mean_after("alpha", "no")
    assert missed < helped < alone
    assert helped - missed < alone - helped


def test_a_skip_is_no_better_than_knowing_nothing_and_what_is_ungraded_tells_nothing() -> None:
    assert mean_after() <= mean_after("no idea") < Estimate().of("autograd").mean
    assert evidence(interview((Q, ["alpha"]), grade=False)) == ()


def test_a_question_that_is_still_open_tells_nothing_yet() -> None:
    whole = interview((Q, ["alpha beta"]))
    still_open = whole.model_copy(
        update={"ended": None, "asked": (whole.asked[0].model_copy(update={"closed": False}),)}
    )
    assert evidence(still_open) == ()
    assert len(evidence(whole)) == 1


def test_points_that_could_not_be_scored_leave_the_others() -> None:
    whole = interview((Q, ["alpha"]))
    grade = whole.asked[0].grades[0].grade
    lost = grade.criteria[1].model_copy(update={"verdict": Verdict.UNSCORED, "credit": None, "sure": False})
    partly = grade.model_copy(update={"criteria": (grade.criteria[0], lost), "score": None})
    graded = whole.asked[0].grades[0].model_copy(update={"grade": partly})
    (found,) = evidence(whole.model_copy(update={"asked": (whole.asked[0].model_copy(update={"grades": (graded,)}),)}))
    assert (found.credit, found.points) == (1.0, 1)


def test_what_a_measured_judge_credits_is_read_with_its_habits() -> None:
    whole = interview((Q, ["alpha beta"]))
    graded = whole.asked[0].grades[0]
    engine = Engine(judge="j", model="m", digest="", rubric_version="v", spread=1.9)
    soft = tuple(v.model_copy(update={"credit": MEASURED.ceiling}) for v in graded.grade.criteria)
    measured = graded.model_copy(update={"grade": graded.grade.model_copy(update={"criteria": soft, "engine": engine})})
    state = whole.model_copy(update={"asked": (whole.asked[0].model_copy(update={"grades": (measured,)}),)})
    assert standing(state).results[0].made == pytest.approx(1.0)
    (found,) = evidence(state)
    plain = found.model_copy(update={"hearing": EXACT})
    assert Estimate([found]).of("autograd").mean > Estimate([plain]).of("autograd").mean


def test_evidence_fades_with_age_towards_what_is_expected_of_anybody() -> None:
    strong = [told(1.0)] * 3
    means = [
        Estimate(aged(strong, START + timedelta(days=days))).of("autograd").mean for days in (0, HALF_LIFE_DAYS, 3650)
    ]
    assert means[0] > means[1] > means[2]
    assert means[2] == pytest.approx(0, abs=0.01)
    assert aged(strong, START + timedelta(days=HALF_LIFE_DAYS))[0].weight == pytest.approx(0.5)
    assert aged(strong, START - timedelta(days=3))[0].weight == 1.0


def test_a_question_near_the_ability_tells_most() -> None:
    able, weak = Estimate([told(1.0)] * 4), Estimate([told(0.0)] * 4)
    assert max(Level, key=lambda level: able.gain("autograd", level)) in {Level.SENIOR, Level.STAFF}
    assert max(Level, key=lambda level: weak.gain("autograd", level)) is Level.JUNIOR
    assert Estimate().gain("autograd", Level.MID) > Estimate([told(0.5)] * 6).gain("autograd", Level.MID)


def test_results_come_in_order_with_what_was_made_alone() -> None:
    other = question("other", topic="training", level=Level.SENIOR)
    state = interview((Q, ["alpha beta"]), (other, ["no", "beta"]), (Q, []), plan=Plan(level=Level.SENIOR))
    made = [(result.topic, result.level, result.made) for result in standing(state).results]
    assert made == [("autograd", Level.MID, 1.0), ("training", Level.SENIOR, 0.0), ("autograd", Level.MID, 0.0)]
    assert standing(state).results[0].strong
    assert standing(state).results[1].failed
    assert standing(fold([])).results == standing(State()).results == ()
