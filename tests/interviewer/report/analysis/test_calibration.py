"""What a person said to be sure of, beside what it earned, in every form of the report."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import calibration
from interviewer.report.render.charts.registry import pictures
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Confidence
from rubric.model import Verdict
from tests.interviewer.report.sample_session import LOADER, Telling, telling

MET, MISSING = Verdict.MET, Verdict.MISSING
SURE, GUESS = Confidence.SURE, Confidence.GUESS
FLIES = "If it flies, the loop was waiting for data."


def answered(*levels: Confidence, graded: bool = True) -> Telling:
    """The same question as often as levels are given, 60 of 100 each time."""
    tell = Telling()
    for level in levels:
        q = tell.ask(LOADER)
        a = tell.answer(q, FLIES)
        tell.sure(q, a, level)
        if graded:
            tell.grade(q, a, [(MET, 0.9, FLIES), (MISSING, 0.0, "")])
        tell.close(q)
    tell.end()
    return tell


def report(tell: Telling) -> Findings:
    return findings("s1", tell.state)


def test_levels_hold_what_was_stated_beside_what_was_earned() -> None:
    found = report(answered(SURE, SURE, GUESS)).confidence
    assert found is not None
    assert [(level.level, level.answers, level.stated) for level in found.levels] == [(GUESS, 1, 0.25), (SURE, 2, 0.95)]
    assert [level.earned for level in found.levels] == [pytest.approx(0.6)] * 2
    assert (found.stated, found.earned) == (pytest.approx((2 * 0.95 + 0.25) / 3), pytest.approx(0.6))
    assert calibration.sentence(found) == "You were sure of 2 answers; they earned 60 of 100 on average."


def test_who_guessed_well_is_told_so() -> None:
    found = report(answered(GUESS, GUESS, GUESS, SURE)).confidence
    assert found is not None
    assert calibration.sentence(found) == "You called 3 answers guesses; they earned 60 of 100 on average."


def test_one_answer_says_nothing_about_a_level() -> None:
    found = report(answered(SURE, GUESS, Confidence.RATHER_SURE)).confidence
    assert found is not None
    assert calibration.sentence(found) == ("For 3 answers, you expected 65 of 100 on average and earned 60.")


@pytest.mark.parametrize("tell", [answered(SURE, SURE), answered(SURE, SURE, SURE, graded=False), telling()])
def test_of_few_answers_or_ungraded_ones_nothing_is_said(tell: Telling) -> None:
    found = report(tell)
    assert found.confidence is None
    assert "confidence" not in [picture.name for picture in pictures(found)]
    assert "You were sure of" not in render_markdown(found)


def test_a_reply_to_a_follow_up_earned_the_credit_of_its_point() -> None:
    tell = answered(SURE, SURE)
    tell.events.pop()
    q = tell.ask(LOADER)
    a = tell.answer(q, FLIES)
    tell.grade(q, a, [(MET, 0.9, FLIES), (MISSING, 0.0, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "pinned", "And the copies?")
    a = tell.answer(q, "Pin the memory.", f)
    tell.sure(q, a, GUESS)
    tell.sure(q, a, SURE)
    tell.grade(q, a, [(MET, 0.9, FLIES), (MET, 0.8, "Pin the memory.")])
    found = report(tell).confidence
    assert found is not None
    assert (found.answers[-1].level, found.answers[-1].earned) == (SURE, 0.8)


def test_an_overriding_mark_counts() -> None:
    tell = answered(SURE, SURE, SURE)
    tell.override("q3", "pinned", MET, "Ada")
    found = report(tell).confidence
    assert found is not None
    assert found.answers[-1].earned == pytest.approx((2 * 0.9 + 1) / 3, abs=1e-3)


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_every_form_tells_it(render: Callable[[Findings], str]) -> None:
    text = render(report(answered(SURE, SURE, GUESS)))
    assert "You were sure of 2 answers; they earned 60 of 100 on average." in text
    assert "You (you were sure)" in text
    assert "This does not change any score." in text


def test_it_changes_no_score_and_stands_in_the_data_and_in_print() -> None:
    with_it = report(answered(SURE, SURE, GUESS))
    without = Telling()
    without.events = [event for event in answered(SURE, SURE, GUESS).events if event.type != "confidence_stated"]
    assert with_it.overall == report(without).overall
    assert '"level": "sure"' in render_json(with_it)
    assert len(render_pdf(with_it)) > len(render_pdf(report(without)))
