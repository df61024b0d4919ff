"""A silence that the page tells of is answered once, on the turn that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest

from interviewer.dialogue import templates
from interviewer.policy.silence import AFTER_S, SilenceStep
from interviewer.session.events import AsideTaken
from interviewer.storage import settings
from interviewer.web.gradio_support import Updates
from interviewer.web.view_state import turn_of
from tests.interviewer.web.holding import HeldPanel, begin, controller

LONG, STUCK, GONE = (AFTER_S[step] for step in SilenceStep)


class Panel(HeldPanel):
    """The interview's panel, which is told of silences."""

    @property
    def said(self) -> list[str]:
        return [turn.said for turn in self.state.asked[0].turns if isinstance(turn, AsideTaken)]

    @property
    def asks_for(self) -> str:
        """After how many seconds of silence the page is to tell of it."""
        return str(self.show(self.session, self.state)[self.kept.silence])

    def silent(self, quiet_s: float | str | None, turn: str | None = None) -> Updates:
        told = quiet_s if quiet_s is None else str(quiet_s)
        return self.view._tell_silence(self.session, turn_of(self.state) if turn is None else turn, told)


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    with controller(tmp_path) as at:
        yield Panel(at, begin(at)[0])


def test_a_silence_is_answered_in_steps_and_the_page_is_told_when_the_next_is_due(panel: Panel) -> None:
    assert panel.asks_for == f"{LONG:g}"
    assert panel.silent(LONG - 1) == {panel.kept.silence: gr.skip()}
    assert panel.said == []
    shown = panel.silent(LONG)
    assert panel.said[0] in templates.NO_HURRY
    assert panel.said[0] in shown[panel.view.panel.transcript]
    assert shown[panel.kept.silence] == panel.asks_for == f"{STUCK:g}"
    # What the person was told last about what they did stays.
    assert panel.view.panel.note not in shown
    panel.silent(STUCK)
    assert panel.said[1:] == [templates.OR_ASK_FOR_A_HINT]
    panel.silent(GONE)
    assert panel.state.paused
    assert panel.asks_for == ""


def test_a_silence_of_another_turn_calls_for_nothing(panel: Panel) -> None:
    turn = turn_of(panel.state)
    panel.at.act(panel.session, turn, "hint")
    before = panel.state
    assert panel.silent(GONE, turn) == {panel.kept.silence: gr.skip()}
    assert panel.state == before


def test_who_turned_it_off_in_the_settings_is_left_in_peace_in_any_interview(panel: Panel, home: Path) -> None:
    settings.change(home, {"silence_steps": False})
    assert panel.asks_for == ""
    assert panel.silent(GONE) == {panel.kept.silence: ""}
    assert panel.said == []
    settings.change(home, {"silence_steps": True})
    assert panel.asks_for == f"{LONG:g}"


@pytest.mark.parametrize("quiet_s", [None, "", "long", "nan", "-1"])
def test_what_is_no_duration_calls_for_nothing(panel: Panel, quiet_s: str | None) -> None:
    before = panel.state
    assert panel.silent(quiet_s) == {panel.kept.silence: gr.skip()}
    assert panel.state == before


def test_without_an_interview_nothing_is_asked_for(panel: Panel) -> None:
    assert panel.view.show(None, None)[panel.kept.silence] == ""
    assert panel.view._tell_silence("", "", str(GONE)) == {panel.kept.silence: gr.skip()}
    panel.at.act(panel.session, turn_of(panel.state), "end")
    assert panel.asks_for == ""
