"""The overall result: what band, how sure, strong and not ready on what; every figure worked out anew here."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.standing import band_of
from interviewer.report.phrases import result
from interviewer.report.schema.findings import Band, Findings, Standing
from interviewer.report.schema.question import Support
from interviewer.session.plan import Plan
from interviewer.session.state import State
from knowledge.model import Level
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question, telling

T_90 = {2: 2.919986, 3: 2.353363}
"""Student's quantile at 0.95, out of a table, by degrees of freedom."""


def scored(*scores: tuple[str, float], level: Level = Level.MID, plan: Level = Level.MID) -> Findings:
    """A report of questions of four minutes with these scores by topic."""
    tell = Telling(Plan(level=plan))
    for number, (topic, score) in enumerate(scores):
        q = tell.ask(question(f"q{number}", [("c", "A point.", 1)], topic=topic, level=level))
        tell.grade(q, tell.answer(q, "So it is."), [(Verdict.MET, score, "So it is.")])
    return findings("s1", tell.state)


def standing_of(*scores: tuple[str, float]) -> Standing:
    found = scored(*scores).standing
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("score", "band"),
    [
        *((1.0, Band.STRONG), (0.796, Band.STRONG), (0.79, Band.SOLID), (0.6, Band.SOLID)),
        *((0.59, Band.APPROACHING), (0.4, Band.APPROACHING), (0.39, Band.BELOW), (0.0, Band.BELOW)),
    ],
)
def test_the_band_is_that_of_the_figure_shown(score: float, band: Band) -> None:
    assert band_of(score) is band


def test_the_result_in_one_sentence() -> None:
    found = standing_of(("autograd", 0.95), ("training", 0.65), ("distributed training", 0.3))
    assert (found.strong_on, found.not_ready_on) == (("autograd",), ("distributed training",))
    assert result.result(found) == (
        f"{found.place} Your score is 63 of 100 (a rough figure, since the judge was unsure of many points); "
        "strong on autograd; "
        "not ready yet on distributed training."
    )
    assert "mid level" in found.place
    earlier = found.model_copy(update={"place": ""})
    assert result.result(earlier).startswith("Solid mid level. Your score is 63 of 100")
    assert result.result(standing_of(("a", 0.1))).endswith(" Your score is 10 of 100; not ready yet on a.")
    assert result.result(standing_of(("a", 0.9), ("b", 0.8), ("c", 0.85))).endswith(
        " Your score is 85 of 100 (likely 77 to 93); strong on a and c."
    )


def test_what_other_questions_might_have_given_is_told_by_the_spread_of_these() -> None:
    scores = [0.9, 0.7, 0.5]
    found = standing_of(*(("a", score) for score in scores))
    half = T_90[2] * stdev(scores) / len(scores) ** 0.5
    assert found.reach == (pytest.approx(mean(scores) - half, abs=1e-4), 1.0)
    assert found.support is Support.ROUGH
    level = standing_of(*(("a", score) for score in (0.7, 0.7, 0.7, 0.72)))
    half = T_90[3] * stdev([0.7, 0.7, 0.7, 0.72]) / 2
    assert level.reach == (pytest.approx(0.705 - half, abs=1e-4), pytest.approx(0.705 + half, abs=1e-4))
    assert level.support is Support.FIRM


def test_two_questions_are_a_first_impression() -> None:
    found = standing_of(("a", 0.7), ("a", 0.7))
    assert (found.reach, found.support) == (None, Support.THIN)
    assert "first impression" in result.how_sure(found)


def test_the_level_is_that_of_the_questions_and_not_of_the_wish() -> None:
    found = scored(("a", 0.9), ("a", 0.9), level=Level.JUNIOR, plan=Level.SENIOR).standing
    assert found is not None
    assert (found.level, found.at_level, found.graded) == (Level.JUNIOR, 2, 2)


def test_the_judges_interval_is_combined_over_questions() -> None:
    tell = Telling()
    for number in range(4):
        q = tell.ask(question(f"q{number}", [("c", "A point.", 1)]))
        tell.grade(q, tell.answer(q, "So it is."), [(Verdict.MET, 0.6, "So it is.")])
    events = [
        event.model_copy(update={"grade": event.grade.model_copy(update={"interval": (0.4, 0.7)})})
        if event.type == "answer_graded"
        else event
        for event in tell.events
    ]
    tell.events[:] = events
    found = findings("s1", tell.state)
    assert found.overall.interval == (pytest.approx(0.6 - 0.2 / 2), pytest.approx(0.6 + 0.1 / 2))
    assert found.topics[0].interval == found.overall.interval
    assert findings("s1", telling().state).overall.interval is None


def test_nothing_graded_stands_nowhere() -> None:
    assert findings("s1", State()).standing is None
    tell = Telling()
    tell.answer(tell.ask(question("one", [("a", "First.", 1)])), "Something.")
    assert findings("s1", tell.state).standing is None


@pytest.mark.parametrize(
    ("score", "reach", "strong", "not_ready"),
    [
        (0.9, (0.7, 1.0), ("autograd",), ()),
        (0.9, (0.5, 1.0), (), ()),
        (0.3, (0.1, 0.5), (), ("autograd",)),
        (0.3, (0.1, 0.7), (), ()),
    ],
)
def test_a_topic_is_named_only_where_the_judges_doubt_leaves_no_other_reading(
    score: float, reach: tuple[float, float], strong: tuple[str, ...], not_ready: tuple[str, ...]
) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("c", "A point.", 1)]))
    tell.grade(q, tell.answer(q, "So it is."), [(Verdict.MET, score, "So it is.")])
    tell.events[:] = [
        event.model_copy(update={"grade": event.grade.model_copy(update={"interval": reach})})
        if event.type == "answer_graded"
        else event
        for event in tell.events
    ]
    found = findings("s1", tell.state).standing
    assert found is not None
    assert (found.strong_on, found.not_ready_on) == (strong, not_ready)
    assert f"(likely {round(100 * reach[0])} to {round(100 * reach[1])})" in result.result(found)
