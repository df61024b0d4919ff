"""A question that was skipped earns nothing, and the report says so."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import common
from interviewer.report.phrases.result import how_sure
from interviewer.report.render.markdown import render_markdown
from interviewer.session.events import QuestionSkipped
from tests.interviewer.builders import interview, question
from tests.interviewer.report.sample_session import CONFLICT, Telling


def test_to_skip_is_never_better_than_to_answer_and_is_told() -> None:
    asked, hard = question("q1"), question("q2")
    skipped = findings("s", interview((asked, ["alpha beta"]), (hard, [])))
    answered = findings("s", interview((asked, ["alpha beta"]), (hard, ["no idea at all"])))
    assert skipped.overall.final == answered.overall.final == 0.5
    assert skipped.standing is not None
    assert skipped.standing.skipped == 1
    assert how_sure(skipped.standing).startswith("Based on 1 graded question and 1 skipped, counted as 0.")
    assert findings("s", interview((asked, []))).overall.final is None


def test_what_is_left_for_later_costs_nothing_while_it_may_come_back() -> None:
    state = interview((question("q1"), ["alpha"]), (question("q2"), []))
    later = state.asked[1].model_copy(update={"later": True})
    still_open = state.model_copy(update={"ended": None, "asked": (state.asked[0], later)})
    assert findings("s", still_open).questions[1].final is None
    assert findings("s", state.model_copy(update={"asked": still_open.asked})).questions[1].final == 0.0


@pytest.mark.parametrize(("later", "said"), [(True, common.LEFT_FOR_LATER), (False, common.SKIPPED)])
def test_who_wants_to_come_back_has_not_skipped_the_question(*, later: bool, said: str) -> None:
    tell = Telling()
    q = tell.ask(CONFLICT)
    tell._add(QuestionSkipped, "skip", asked_id=q, words="Can we come back to this?", later=later)
    text = render_markdown(findings("s1", tell.state))
    assert said in text
    assert (common.SKIPPED in text) is not later
