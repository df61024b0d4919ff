"""The part of the panel on which a loop of interviews is begun, gone on with, and debriefed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from interviewer.loop.debrief import debrief
from interviewer.loop.journal import held_loops
from interviewer.loop.phrases import markdown, outline
from interviewer.loop.rounds import HeldRound, begun, next_number, plan_of, plan_round
from interviewer.loop.templates import TEMPLATES
from interviewer.session.loop_plan import LONGEST_SUBJECT, LoopPlace, LoopPlan
from interviewer.session.state import State
from interviewer.web import safe_html
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import EVENT_OPTIONS, Outputs, Updates, note_html
from interviewer.web.views.base import ViewContext
from knowledge.model import Question
from serving.errors import BadInputError, InterviewerError


@dataclass(frozen=True)
class LoopPanel:
    """Its elements."""

    template: gr.Dropdown
    subject: gr.Textbox
    paper: gr.Checkbox
    start: gr.Button
    rounds: gr.HTML
    go_on: gr.Button
    tell: gr.Button
    told: gr.HTML

    @property
    def shown(self) -> Outputs:
        """The elements that ``LoopEvents.show`` changes."""
        return [self.rounds, self.go_on, self.tell, self.told]


def build() -> LoopPanel:
    """Lay it out; call inside a ``gr.Blocks``."""
    with gr.Accordion("Full interview loop", open=False, elem_id="loop"):
        gr.HTML(
            "<p class='quiet'>A phone screen, two coding rounds, system design, behavioral, and a deep dive, each with"
            " a different interviewer, in one sitting or over several days. At the end you get a debrief.</p>",
            apply_default_css=False,
        )
        template = gr.Dropdown(
            choices=[(name.capitalize(), name) for name in TEMPLATES],
            value=next(iter(TEMPLATES)),
            label="Template",
            elem_id="loop-template",
        )
        subject = gr.Textbox(
            "",
            label="Deep dive on",
            info="A piece of your own work, or the title of a paper. Leave empty to decide in the interview.",
            max_length=LONGEST_SUBJECT,
            elem_id="loop-subject",
        )
        paper = gr.Checkbox(value=False, label="This is a paper", elem_id="loop-paper")
        start = gr.Button("Start the first round", elem_id="loop-start")
        rounds = gr.HTML("", apply_default_css=False, elem_id="loop-rounds")
        go_on = gr.Button("Next round", visible=False, elem_id="loop-next")
        tell = gr.Button("Show the debrief", visible=False, elem_id="loop-debrief")
        told = gr.HTML("", apply_default_css=False, elem_id="loop-told")
    return LoopPanel(template, subject, paper, start, rounds, go_on, tell, told)


class LoopEvents:
    """What its events do.

    Args:
        panel: its elements.
        context: where it is, and what it shows a round with that was begun or resumed.
        note: shows what went wrong.

    """

    def __init__(self, panel: LoopPanel, context: ViewContext, note: gr.HTML) -> None:
        self._panel = panel
        self._here = context.here
        self._kept = context.kept
        self._show_interview = context.show
        self._resume = context.resume
        self._note = note

    def connect(self, page: Outputs) -> None:
        """Connect the events; see ``PageView``."""
        panel, draft = self._panel, self._kept.draft
        panel.start.click(self._start, [draft, panel.template, panel.subject, panel.paper], page, **EVENT_OPTIONS)
        panel.go_on.click(self._go_on, draft, page, **EVENT_OPTIONS)
        panel.tell.click(self._debrief, None, panel.told, **EVENT_OPTIONS)

    def show(self) -> Updates:
        """The latest loop: its rounds, and what can be done next.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        panel, (_, held) = self._panel, self._latest()
        if not held:
            return {
                panel.rounds: "",
                panel.go_on: gr.update(visible=False),
                panel.tell: gr.update(visible=False),
                panel.told: "",
            }
        plan = plan_of(held)
        number = next_number(plan, held)
        return {
            panel.rounds: rounds_html(plan, held),
            panel.go_on: gr.update(visible=number is not None, value=_next_label(plan, held, number)),
            panel.tell: gr.update(visible=True),
            panel.told: "",
        }

    @property
    def _controller(self) -> PageController:
        return self._here().controller

    def _latest(self) -> tuple[str, tuple[HeldRound, ...]]:
        return next(iter(held_loops(self._controller.journal).items()), ("", ()))

    def _start(self, draft: str, template: Any, subject: Any, paper: Any) -> Updates:
        try:
            # The first round's id names the loop too, so that a second click begins no second one.
            return self._begin(draft, lambda: LoopPlace(id=draft, number=1, plan=_chosen(template, subject, paper)), ())
        except InterviewerError as error:
            return {self._note: note_html(str(error))}

    def _go_on(self, draft: str) -> Updates:
        try:
            loop_id, held = self._latest()
            plan = plan_of(held)
            number = next_number(plan, held)
            if number is None:
                raise BadInputError("All rounds of this loop are finished.", hint="Read the debrief.")
            going = begun(held, number)
            if going is not None:
                return self._resume(going.session_id)
            return self._begin(draft, lambda: LoopPlace(id=loop_id, number=number, plan=plan), held)
        except InterviewerError as error:
            return {self._note: note_html(str(error))}

    def _begin(self, draft: str, place: Callable[[], LoopPlace], held: Sequence[HeldRound]) -> Updates:
        questions: Sequence[Question] = self._here().library.questions()
        at = self._controller
        state: State = at.begin(draft, lambda: plan_round(place(), held, questions, editor=at.runs_code))
        return self._show_interview(draft, state)

    def _debrief(self) -> str:
        try:
            loop_id, held = self._latest()
            return f'<div class="prose">{safe_html.markdown(markdown(debrief(loop_id, plan_of(held), held)))}</div>'
        except InterviewerError as error:
            return note_html(str(error))


def rounds_html(plan: LoopPlan, held: Sequence[HeldRound]) -> str:
    """The rounds of a loop as a list."""
    lines = "".join(f"<li>{safe_html.text(line.partition('. ')[2])}</li>" for line in outline(plan, held))
    return f"<p>Your latest loop: {safe_html.text(plan.name)}, {plan.level.value} level.</p><ol>{lines}</ol>"


def _next_label(plan: LoopPlan, held: Sequence[HeldRound], number: int | None) -> str:
    if number is None:
        return "Next round"
    this = plan.rounds[number - 1]
    return f"{'Resume' if begun(held, number) else 'Start'} round {number}: {this.kind.value}, {this.interviewer}"


def _chosen(template: Any, subject: Any, paper: Any) -> LoopPlan:
    """The plan of the template, with the person's subject.

    Raises:
        BadInputError: the page's script sent what cannot be chosen.

    """
    if not isinstance(template, str) or template not in TEMPLATES or not isinstance(subject, str):
        raise BadInputError("There is no such loop.", hint="Reload the page and choose again.")
    named = " ".join(subject.split())[:LONGEST_SUBJECT]
    plan = TEMPLATES[template]
    return plan.model_copy(update={"subject": named, "paper": paper is True}) if named else plan
