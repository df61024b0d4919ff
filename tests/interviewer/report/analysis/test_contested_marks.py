"""Disputed and overridden marks in the report, and the report for a mentor or teacher."""

from __future__ import annotations

import re
from collections.abc import Callable

import html5lib
import pytest

from interviewer.report.analysis.contested_marks import without_contested
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.redaction import for_interviewer
from interviewer.report.render.html import render_html, render_html_fragment
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import TurnKind
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.events import EVENT
from rubric.grading.trust_card import SecondReadings, cards
from rubric.model import Verdict
from tests.interviewer.report.hostile import HOSTILE
from tests.interviewer.report.render.test_html import check
from tests.interviewer.report.sample_session import BUCKETS, LOADER, Telling, telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED
RENDERS = [render_html, render_html_fragment, render_markdown]
FLEW = "If it flies, the loop was waiting for data."


def report(tell: Telling) -> Findings:
    return findings("s1", tell.state)


def shown(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>|\\", " ", text).split())


def disputed(verdict: Verdict = MET, credit: float = 0.8) -> Telling:
    tell = telling()
    dispute = tell.dispute("q3", "pinned", "I said it *in other words*.")
    tell.second(dispute, FLEW, verdict, credit, meets="Pinned pages copy aside.", opposes="Pinning slows it down.")
    return tell


def test_a_dispute_changes_no_mark() -> None:
    before, after = report(telling()), report(disputed())
    assert after.overall == before.overall
    assert after.questions[2].final == before.questions[2].final
    assert [c.verdict for c in after.questions[2].criteria] == [c.verdict for c in before.questions[2].criteria]
    assert (before.made.criteria_disputed, after.made.criteria_disputed) == (0, 1)


def test_both_readings_stand_side_by_side() -> None:
    first, second = report(disputed()).questions[2].criteria
    assert first.dispute is None
    assert second.dispute is not None
    assert second.dispute.second is not None
    assert (second.verdict, second.dispute.second.verdict, second.dispute.second.credit) == (MISSING, MET, 0.8)
    assert [quote.text for quote in second.dispute.second.read] == [FLEW]
    assert not second.dispute.second.whole


@pytest.mark.parametrize("render", RENDERS)
@pytest.mark.parametrize(
    ("verdict", "credit", "says"),
    [(MET, 0.8, "The readings differ"), (MISSING, 0.1, "Both readings agree")],
)
def test_every_form_shows_the_dispute(
    render: Callable[[Findings], str], verdict: Verdict, credit: float, says: str
) -> None:
    text = shown(render(report(disputed(verdict, credit))))
    for expected in (
        "You dispute this mark. Your reason: I said it",
        "of the one sentence nearest to the point",
        "Pinned pages copy aside.",
        "Pinning slows it down.",
        "A mark you dispute stays as it is.",
        says,
    ):
        assert expected in text
    assert "You dispute" not in shown(render(report(telling())))


@pytest.mark.parametrize("render", RENDERS)
def test_beside_a_second_reading_stands_what_it_was_measured_to_be_worth(render: Callable[[Findings], str]) -> None:
    measured = SecondReadings(marks=200, wrong=40, mended=12, spoiled=8)
    (known,) = cards()
    card = known.model_copy(update={"judge": "state-head/1", "model": "sample-1.5b", "second": measured})
    said = shown(render(findings("s1", disputed().state, [card])))
    assert "the second reading corrected 12 of 40 wrong marks and spoiled 8 of 160 right ones." in said
    assert "Where the two differed, the second was right in 60%." in said
    bare = card.model_copy(update={"second": None})
    assert "it spoiled" not in shown(render(findings("s1", disputed().state, [bare])))
    assert "it spoiled" not in shown(render(findings("s1", telling().state, [card])))


def test_a_dispute_without_a_second_reading_says_so() -> None:
    tell = telling()
    tell.dispute("q3", "pinned")
    assert "has not been made yet" in render_markdown(report(tell))


def test_a_disputed_point_can_be_settled_though_the_judge_was_sure() -> None:
    tell = disputed()
    tell.self_assess("q3", "pinned", PARTIAL)
    found = report(tell).questions[2]
    assert found.criteria[1].self_assessed is PARTIAL
    assert found.self_assessed == pytest.approx((0.91 * 2 + 0.5) / 3)
    assert found.final == pytest.approx((0.91 * 2 + 0.03) / 3)


def test_an_overriding_mark_counts_and_says_whose_it_is() -> None:
    tell = telling()
    tell.override("q3", "pinned", MET, "Ada", "Said so in the hallway.")
    found = report(tell)
    point = found.questions[2].criteria[1]
    assert (point.verdict, point.credit, point.sure, point.quotes) == (MET, 1.0, True, ())
    assert point.overridden is not None
    assert (point.overridden.by, point.overridden.judged, point.overridden.judged_credit) == ("Ada", MISSING, 0.03)
    assert found.questions[2].final == pytest.approx((0.91 * 2 + 1.0) / 3)
    assert [item.criterion_id for item in found.questions[2].to_add] == []
    assert (found.made.criteria_overridden, found.made.overridden_by) == (1, ("Ada",))
    assert point.reached is AssistanceLevel.AFTER_HINT


def test_the_latest_overriding_mark_counts_and_none_touches_another_point() -> None:
    tell = telling()
    tell.override("q1", "hook", MET, "Ada")
    tell.override("q1", "hook", CONTRADICTED, "Grace")
    tell.override("q1", "no such point", MET, "Mallory")
    before, after = report(telling()).questions[0], report(tell).questions[0]
    assert [c.overridden and c.overridden.by for c in after.criteria] == [None, None, None, "Grace"]
    assert [c.credit for c in after.criteria[:3]] == [c.credit for c in before.criteria[:3]]
    assert after.criteria[3].verdict is CONTRADICTED
    assert after.unaided == pytest.approx((before.unaided or 0.0) - 0.49 / 8, abs=1e-3), "nobody helped with this point"
    assert after.criteria[2].reached is AssistanceLevel.AFTER_FOLLOW_UP


def test_who_met_an_overridden_point_when_is_not_known_after_help() -> None:
    tell = telling()
    tell.override("q2", "average", MET, "Ada")
    tell.override("q2", "overlap", MET, "Ada")
    average, _, overlap = report(tell).questions[1].criteria
    assert average.reached is AssistanceLevel.HELP_UNKNOWN
    assert overlap.reached is AssistanceLevel.HELP_UNKNOWN, "it may stand in an answer to a follow-up on another"
    assert report(tell).questions[1].unaided == pytest.approx((0.04 * 3 + 0.9 * 2 + 1.0 * 2) / 7, abs=1e-3)


def test_an_overridden_mark_is_no_longer_open_to_the_persons_own() -> None:
    tell = telling()
    tell.self_assess("q1", "hook", MET)
    assert report(tell).questions[0].self_assessed is not None
    tell.override("q1", "hook", MISSING, "Ada")
    found = report(tell).questions[0]
    assert (found.criteria[3].self_assessed, found.self_assessed) == (None, None)


@pytest.mark.parametrize("render", RENDERS)
def test_every_form_says_what_was_overridden(render: Callable[[Findings], str]) -> None:
    tell = telling()
    tell.override("q3", "pinned", MET, "Ada <b>", "note [x](y)")
    text = render(report(tell))
    said = shown(text.replace("&lt;", "").replace("&gt;", ""))
    assert "1 mark was overridden by hand, by Ada" in said
    assert "the judge had said: missing, credit 3 of 100" in said
    assert "<b>;" not in text
    assert "note [x](y)" not in text or render is not render_markdown


def test_the_interviewers_view_has_marks_and_evidence_and_no_coaching() -> None:
    tell = disputed()
    tell.override("q1", "hook", MET, "Ada")
    plain = report(tell)
    found = for_interviewer(plain)
    for one in (plain, found):
        html5lib.HTMLParser(strict=True).parse(render_html(one))
    assert found.view is View.INTERVIEWER
    assert (found.fix, found.study) == (None, ())
    assert [q.criteria for q in found.questions] == [q.criteria for q in plain.questions]
    assert [(q.final, q.unaided) for q in found.questions] == [(q.final, q.unaided) for q in plain.questions]
    assert {turn.text for q in found.questions for turn in q.transcript if turn.kind is TurnKind.HINT} == {""}
    for render in RENDERS:
        text = shown(render(found))
        for coaching in (
            "Your plan",
            "What to fix first",
            "Take one of the two suspects",
            "Ask for it before the backward pass",
            "Reference answer",
            "Practice this question",
        ):
            assert coaching not in text, coaching
        for wanted in ("The interviewer’s view", "A hint was given.", "app.py override s1 3 POINT", FLEW, "by Ada"):
            assert wanted in text, wanted
    assert Findings.model_validate_json(render_json(found)) == found


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_reasons_and_names_show_as_text(name: str) -> None:
    text = HOSTILE[name]
    tell = telling()
    dispute = tell.dispute("q3", "pinned", text[:2000])
    tell.second(dispute, FLEW, MET, 0.8, meets=text, opposes=text)
    tell.override("q1", "hook", MET, text[:200], text[:2000])
    for view in (report(tell), for_interviewer(report(tell))):
        check(render_html(view), 1)
        render_markdown(view)


def test_journals_without_the_new_events_and_fields_still_read() -> None:
    for event in telling().events:
        assert EVENT.validate_json(EVENT.dump_json(event)) == event
    old = report(telling()).model_dump(mode="json", exclude={"study", "study_left_out", "view"})
    assert Findings.model_validate(old).study == ()


def missed(*, sure: bool = True) -> Telling:
    """Two questions: of the first one point is called missing though it was said, the second is all met."""
    tell = Telling()
    q = tell.ask(LOADER)
    said = "It waits for data. Pinned pages copy beside the step."
    marks = [(MET, 0.9, "It waits for data."), (MISSING, 0.1, "")]
    tell.grade(q, tell.answer(q, said), marks, unsure=[] if sure else ["pinned"])
    tell.close(q)
    q = tell.ask(BUCKETS)
    tell.grade(q, tell.answer(q, "All of it."), [(MET, 0.9, "All of it.")] * 3)
    tell.close(q)
    return tell


@pytest.mark.parametrize("render", RENDERS)
def test_a_disputed_point_leaves_result_gaps_and_plan_at_once(render: Callable[[Findings], str]) -> None:
    tell = missed()
    before = report(tell)
    assert [(gap.number, gap.criterion_id) for gap in before.gaps] == [(1, "pinned")]
    tell.dispute("q1", "pinned")
    after = report(tell)
    assert (after.gaps, after.fix, after.study) == ((), None, ())
    assert before.standing is not None
    assert after.standing is not None
    assert before.standing.score == pytest.approx((4 * (0.9 * 2 + 0.1) / 3 + 6 * 0.9) / 10)
    assert (after.standing.score, after.standing.left_out) == (pytest.approx(0.9), 1)
    assert after.questions[0].final == before.questions[0].final
    assert after.overall == before.overall
    assert after.topics == before.topics
    said = "You disagree with 1 mark (question 1, point 2). The result, the gaps, and the plan leave it out"
    assert said in shown(render(after))
    assert said not in shown(render(before))


def test_a_point_that_the_person_says_they_made_leaves_them_too() -> None:
    tell = missed(sure=False)
    assert [item.sure for item in report(tell).study] == [False]
    tell.self_assess("q1", "pinned", MET)
    found = report(tell)
    assert found.study == ()
    assert found.standing is not None
    assert (found.standing.score, found.standing.left_out) == (pytest.approx(0.9), 1)


def test_a_disputed_point_that_is_settled_as_partly_made_stays_out_of_them() -> None:
    tell = missed()
    tell.dispute("q1", "pinned")
    tell.self_assess("q1", "pinned", PARTIAL)
    found = report(tell)
    assert (found.gaps, found.study) == ((), ())
    assert found.standing is not None
    assert found.standing.left_out == 1


def test_whoever_agrees_with_the_judge_or_is_overruled_contests_nothing() -> None:
    tell = missed()
    tell.dispute("q1", "pinned")
    tell.self_assess("q1", "pinned", MISSING)
    agreed = report(tell)
    assert [gap.criterion_id for gap in agreed.gaps] == ["pinned"]
    tell = missed()
    tell.dispute("q1", "pinned")
    tell.override("q1", "pinned", MISSING, "Ada")
    overruled = report(tell)
    assert [gap.criterion_id for gap in overruled.gaps] == ["pinned"]
    for found in (agreed, overruled):
        assert found.standing is not None
        assert found.standing.left_out == 0


def test_a_strength_that_is_disputed_is_none() -> None:
    tell = missed()
    assert "blocked" in {item.criterion_id for item in report(tell).strengths}
    tell.dispute("q1", "blocked")
    assert "blocked" not in {item.criterion_id for item in report(tell).strengths}


def test_where_every_point_is_contested_there_is_no_result() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    tell.grade(q, tell.answer(q, "It depends."), [(MISSING, 0.1, "")] * 2)
    tell.close(q)
    for point in ("blocked", "pinned"):
        tell.dispute(q, point)
    found = report(tell)
    assert (found.standing, found.questions[0].final) == (None, pytest.approx(0.1))
    assert "You disagree with the mark of every graded point" in render_markdown(found)
    html5lib.HTMLParser(strict=True).parse(render_html(found))


def test_the_interval_of_the_result_is_that_of_the_points_that_count() -> None:
    tell = missed()
    tell.dispute("q1", "pinned")
    tell.events[:] = [
        event.model_copy(update={"grade": event.grade.model_copy(update={"interval": (0.4, 0.8)})})
        if event.type == "answer_graded"
        else event
        for event in tell.events
    ]
    question = report(tell).questions[0]
    counted = without_contested(question)
    # One point of two left: its standard error alone, beside that of both, weighted 2 to 1.
    both = ((2 / 3) ** 2 * 0.9 * 0.1 + (1 / 3) ** 2 * 0.1 * 0.9) ** 0.5
    half = max(question.final - 0.4, 0.8 - question.final) * (0.9 * 0.1) ** 0.5 / both
    assert counted.final == pytest.approx(0.9)
    assert counted.interval == (pytest.approx(0.9 - half, abs=1e-3), 1.0)
    assert without_contested(report(missed()).questions[0]) == report(missed()).questions[0]
