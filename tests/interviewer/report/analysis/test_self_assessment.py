"""What a person settled themselves, in every form of the report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html, render_html_fragment
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings
from interviewer.session.events import OwnVerdict
from rubric.model import Verdict
from tests.interviewer.report.sample_session import LEAF, LOADER, MIXED, Telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED
SAID = "It waits for data."


def doubtful(*settled: tuple[str, OwnVerdict]) -> Telling:
    """One question: sure, unsure met, unsure contradicted and unsure missing points; some of them settled."""
    tell = Telling()
    q = tell.ask(LEAF)
    marks: list[tuple[Verdict, float | None, str]] = [(MET, 0.9, SAID), (MET, 0.6, SAID)]
    marks += [(CONTRADICTED, 0.2, SAID), (MISSING, 0.4, "")]
    tell.grade(q, tell.answer(q, SAID), marks, unsure=["freed", "retain", "hook"])
    tell.close(q)
    for criterion_id, verdict in settled:
        tell.self_assess(q, criterion_id, verdict)
    return tell


def report(tell: Telling) -> Findings:
    return findings("s1", tell.state)


def test_the_judges_scores_stay_and_a_second_figure_is_given() -> None:
    before = report(doubtful())
    after = report(doubtful(("freed", MISSING), ("hook", PARTIAL)))
    assert (after.overall.unaided, after.overall.final) == (before.overall.unaided, before.overall.final)
    assert (before.overall.self_assessed, before.questions[0].self_assessed) == (None, None)
    expected = (0.9 * 3 + 0 * 2 + 0.2 * 2 + 0.5 * 1) / 8
    assert after.questions[0].self_assessed == pytest.approx(expected)
    assert after.overall.self_assessed == pytest.approx(expected)
    assert after.overall.graded_self_assessed == 1
    assert after.made.criteria_self_assessed == 2


def test_each_point_shows_the_judges_doubt_and_the_persons_own_verdict() -> None:
    found = report(doubtful(("freed", MISSING), ("freed", PARTIAL))).questions[0].criteria
    assert [(c.verdict, c.sure, c.self_assessed) for c in found[:2]] == [(MET, True, None), (MET, False, PARTIAL)]


def test_what_was_settled_decides_what_a_strong_answer_would_add() -> None:
    assert [item.criterion_id for item in report(doubtful()).questions[0].to_add] == ["retain", "hook"]
    settled = report(doubtful(("freed", MISSING), ("retain", MET), ("hook", CONTRADICTED))).questions[0]
    assert [item.criterion_id for item in settled.to_add] == ["freed", "hook"]
    assert settled.corrections == ()
    confirmed = report(doubtful(("retain", CONTRADICTED))).questions[0]
    assert [item.criterion_id for item in confirmed.corrections] == ["retain"]


def test_a_verdict_on_what_the_judge_was_sure_of_does_not_count() -> None:
    assert report(doubtful(("leaves", MISSING))) == report(doubtful())


def test_a_question_that_could_not_be_scored_gets_a_figure_once_it_is_settled() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    tell.grade(q, tell.answer(q, SAID), [(MET, 0.8, SAID), (Verdict.UNSCORED, None, "")])
    tell.close(q)
    other = tell.ask(MIXED)
    tell.grade(other, tell.answer(other, SAID), [(MET, 1.0, SAID)] * 3)
    tell.close(other)
    tell.self_assess(q, "pinned", MET)
    found = report(tell)
    assert (found.questions[0].final, found.overall.graded) == (None, 1)
    assert found.questions[0].self_assessed == pytest.approx((0.8 * 2 + 1.0) / 3)
    assert found.overall.self_assessed == pytest.approx(((0.8 * 2 + 1.0) / 3 + 1.0) / 2)
    assert found.overall.graded_self_assessed == 2


@pytest.mark.parametrize("render", [render_html, render_html_fragment, render_markdown])
def test_every_form_says_what_is_whose(render: Callable[[Findings], str]) -> None:
    plain = render(report(doubtful()))
    assert "self-assessed" not in plain
    assert "you settled" not in plain
    settled = report(doubtful(("freed", CONTRADICTED), ("hook", PARTIAL)))
    text = " ".join(re.sub(r"<[^>]*>", " ", render(settled)).split())
    figure = round(100 * (0.9 * 3 + 0 + 0.2 * 2 + 0.5) / 8)
    assert f"With the points you settled: {figure} of 100." in text
    assert re.search(r"unsure:? you may have made this point;? self-assessed: contradicted", text)
    assert "self-assessed: partly met" in text
    assert "You settled 2 points yourself." in text
    assert "They do not change the judge’s scores." in text
    assert f"{figure} of 100" in text


def test_the_json_carries_both() -> None:
    data = json.loads(render_json(report(doubtful(("freed", PARTIAL)))))
    criterion = data["questions"][0]["criteria"][1]
    assert (criterion["verdict"], criterion["sure"], criterion["self_assessed"]) == ("met", False, "partial")
    assert data["questions"][0]["final"] == pytest.approx((0.9 * 3 + 0.6 * 2 + 0.2 * 2 + 0.4) / 8)
    assert data["questions"][0]["self_assessed"] == pytest.approx((0.9 * 3 + 0.5 * 2 + 0.2 * 2 + 0.4) / 8)
    assert data["overall"]["self_assessed"] == data["questions"][0]["self_assessed"]
