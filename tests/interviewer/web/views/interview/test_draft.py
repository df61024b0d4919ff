"""What is typed so far is told where the person may be cut short, and what they typed stays theirs."""

from __future__ import annotations

import html
from pathlib import Path

import gradio as gr

from interviewer.engine.service import InterviewService
from interviewer.planning.agenda import InterviewOptions
from interviewer.policy.rambling import AFTER_S
from interviewer.session.events import PersonCutShort
from interviewer.session.state import State
from interviewer.session.style import Style
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import Updates
from interviewer.web.view_state import render
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.interview.handlers import InterviewView
from interviewer.web.workspace import Workspace
from tests.interviewer.builders import KeywordGrader, Shelf, Watch
from tests.interviewer.engine.test_answer_reader import ASKED, WordEncoder

STEP_S = 5.0


def test_a_demanding_interviewer_cuts_short_who_types_on_and_on(tmp_path: Path) -> None:
    clock, shelf = Watch(), Shelf([ASKED])
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(
            journal, shelf, KeywordGrader(), patience_s=None, encoder=WordEncoder(), clock=clock
        ) as service,
    ):
        at = PageController(service, journal)
        session = at.new_session()
        at.start(session, InterviewOptions(length=1, talks=False, style=Style.DEMANDING), shelf.questions())
        place = Workspace(at, shelf, lambda files: [])  # type: ignore[arg-type]

        def shown(session: str, state: State, note: str | None = "") -> Updates:
            return view.show(ShownInterview(session, state, render(state)), note)

        with gr.Blocks(analytics_enabled=False) as blocks:
            kept = gradio_support.build()
            view = InterviewView(ViewContext(lambda: place, kept, shown, lambda _: {}))
        blocks.close(verbose=False)

        assert shown(session, at.state(session))[kept.drafts] == "yes"
        draft, updates, told = "Well.", view._tell_draft(session, "Well."), 0
        while updates == {kept.drafts: gr.skip()} and told <= AFTER_S / STEP_S:
            clock.wait(STEP_S)
            told += 1
            draft += " The weather was rather nice."
            updates = view._tell_draft(session, draft)
        (cut,) = [turn for turn in at.state(session).asked[0].turns if isinstance(turn, PersonCutShort)]
        assert told == AFTER_S / STEP_S
        assert html.escape(cut.said) in updates[view.panel.transcript]
        assert updates[kept.drafts] == "yes"
        assert view.panel.answer not in updates


def test_others_are_left_to_finish_unless_they_choose_otherwise() -> None:
    assert not render(State()).drafts
