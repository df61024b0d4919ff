"""Whoever ends the interview is told at once that there will be a report: making it takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import gradio as gr
import pytest

from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.web.gradio_support import Updates
from interviewer.web.view_state import turn_of
from interviewer.web.views.interview.transcript import MAKING_REPORT
from tests.interviewer.web.holding import HeldPanel, controller

LEAVES: dict[str, Callable[[HeldPanel, str], Iterator[Updates]]] = {
    "said": lambda panel, turn: panel.view._send(panel.session, turn, "No, that was all, thank you.", None, "", ""),
    "skip": lambda panel, turn: panel.view._leave("skip")(panel.session, turn),
    "end": lambda panel, turn: panel.view._leave("end")(panel.session, turn),
}


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[HeldPanel]:
    with controller(tmp_path) as at:
        session = at.new_session()
        state: State = at.begin(session, lambda: Plan(question_ids=("leaves",), talks=True, follow_ups=0))
        for _ in range(2):
            state, note = at.act(session, turn_of(state), "skip")
            assert not note
        yield HeldPanel(at, session)


@pytest.mark.parametrize("way", LEAVES)
def test_the_report_is_announced_before_it_is_made(panel: HeldPanel, way: str) -> None:
    steps = LEAVES[way](panel, turn_of(panel.state))
    first = next(steps)
    shown = panel.view.panel
    assert MAKING_REPORT in first[shown.transcript]
    assert first[shown.send] == gr.update(interactive=False)
    # Neither the report nor anything else that takes long is among it.
    assert shown.panel not in first
    if way == "said":
        assert first[shown.answer] == gr.update(value="")
    (second, last) = steps
    assert second[shown.panel] == gr.update(visible=False)
    assert last == {shown.note: gr.skip()}


def test_who_thinks_better_of_ending_goes_on(panel: HeldPanel) -> None:
    before = panel.state
    assert [*panel.view._leave("end")("", turn_of(before))] == [{panel.view.panel.note: gr.skip()}]
    assert panel.state == before


def test_an_answer_that_ends_nothing_is_shown_in_one_step(panel: HeldPanel) -> None:
    (shown, last) = panel.view._send(panel.session, turn_of(panel.state), "How did I do?", None, "", "")
    assert MAKING_REPORT not in shown[panel.view.panel.transcript]
    assert last == {panel.view.panel.note: gr.skip()}
