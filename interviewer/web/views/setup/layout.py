"""The panel on which an interview is chosen, resumed, or fed with documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from interviewer.planning.agenda import DEFAULTS, LEAST_MINUTES
from interviewer.planning.candidate_background import Background
from interviewer.planning.roles import ROLES
from interviewer.report.phrases.common import KINDS
from interviewer.session.plan import Mode
from interviewer.session.style import Style
from interviewer.web import safe_html
from interviewer.web.gradio_support import FOR_SCRIPTS
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations
from interviewer.web.views.setup import assigned, loop
from interviewer.web.views.setup.assigned import AssignedPanel
from interviewer.web.views.setup.loop import LoopPanel
from knowledge.documents.formats.registry import suffixes
from knowledge.model import Kind, Level, Question
from rubric.coding.task import StarterForm

LONGEST = 15
"""Most questions the page offers; an interview of an hour and a half."""

BY_NUMBER = "by number of questions"
MINUTES = (15, 30, 45, 60)


@dataclass(frozen=True)
class SetupPanel:
    """The elements of the panel that others read or change."""

    panel: gr.Column
    readers: gr.HTML
    role: gr.Dropdown
    topics: gr.Dropdown
    level: gr.Radio
    span: gr.Radio
    length: gr.Slider
    kinds: gr.CheckboxGroup
    mode: gr.Radio
    follow_ups: gr.Slider
    talks: gr.Checkbox
    own_documents: gr.Checkbox
    style: gr.Radio
    starter: gr.Radio
    drill: gr.Checkbox
    reviews: gr.Checkbox
    silence_steps: gr.Checkbox
    cut_short: gr.Checkbox
    draw_up: gr.Button
    agenda: gr.Textbox
    agenda_list: gr.HTML
    agenda_edited: gr.Textbox
    start: gr.Button
    history: gr.HTML
    daily: gr.Button
    earlier_group: gr.Group
    earlier: gr.Radio
    resume: gr.Button
    background: gr.File
    known: gr.HTML
    forget: gr.Button
    files: gr.File
    found: gr.HTML
    documents: gr.CheckboxGroup
    listed: gr.HTML
    removal: gr.Button
    note: gr.HTML
    loop: LoopPanel
    assigned: AssignedPanel

    @property
    def choices(self) -> list[gr.components.Component]:
        """What ``wish_of`` takes, in its order."""
        return [
            *(self.role, self.topics, self.level, self.span, self.length, self.kinds),
            *(self.mode, self.follow_ups, self.talks, self.own_documents, self.style, self.drill),
            *(self.reviews, self.starter, self.silence_steps, self.cut_short, self.documents, self.agenda),
        ]


def build(locations: DataLocations = ALL_HERE) -> SetupPanel:
    """Lay the panel out; call inside a ``gr.Blocks``."""
    with gr.Column(visible="hidden", elem_id="setup") as panel:
        # First: whoever was given something comes for that.
        given = assigned.build()
    with panel, gr.Row(elem_classes="columns"):
        with gr.Column(scale=3, min_width=300, elem_classes="card"):
            gr.HTML("<h2>New interview</h2>", apply_default_css=False)
            readers = gr.HTML("", apply_default_css=False, elem_id="readers")
            role = gr.Dropdown(
                choices=[("Any", ""), *((name, name) for name in ROLES)],
                value="",
                label="Role",
                info="Fills in the usual topics, level, and kinds of questions for this role.",
                elem_id="role",
            )
            topics = gr.Dropdown(
                choices=[],
                multiselect=True,
                allow_custom_value=True,
                label="Topics",
                info="Pick some, or type your own and press Enter. Leave empty for all.",
                elem_id="topics",
            )
            level = gr.Radio(
                choices=[(level.value.capitalize(), level.value) for level in Level],
                value=DEFAULTS.level.value,
                label="Level",
                elem_id="level",
            )
            span = gr.Radio(
                choices=[
                    *((f"{minutes} min", str(minutes)) for minutes in MINUTES),
                    ("By number of questions", BY_NUMBER),
                ],
                value=str(DEFAULTS.minutes),
                label="Length",
                elem_id="span",
            )
            length = gr.Slider(
                1, LONGEST, value=DEFAULTS.length, step=1, label="Number of questions", visible=False, elem_id="length"
            )
            mode = gr.Radio(
                choices=[
                    ("Practice: hints, and feedback after each question", Mode.PRACTICE.value),
                    ("Exam: no hints or feedback until the end", Mode.EXAM.value),
                ],
                value=DEFAULTS.mode.value,
                label="Mode",
                elem_id="mode",
            )
            with gr.Accordion("More options", open=False, elem_id="more"):
                kinds = gr.CheckboxGroup(
                    choices=[(KINDS[kind].capitalize(), kind.value) for kind in Kind],
                    label="Question kinds",
                    info="Leave empty for all, or for the role's usual mix.",
                    elem_id="kinds",
                )
                follow_ups = gr.Slider(
                    *(0, 5, DEFAULTS.follow_ups),
                    step=1,
                    label="Follow-ups per question",
                    info="With a clock, two more while half of a question's time is left.",
                    elem_id="follow-ups",
                )
                talks = gr.Checkbox(value=DEFAULTS.talks, label="Warm-up first, my own questions last", elem_id="talks")
                own_documents = gr.Checkbox(value=False, label="Ask only from my own documents", elem_id="own")
                style = gr.Radio(
                    choices=[(style.value.capitalize(), style.value) for style in Style],
                    value=DEFAULTS.style.value,
                    label="Interviewer's tone",
                    info="Changes how you are spoken to, not what is asked or how it is graded.",
                    elem_id="style",
                )
                starter = gr.Radio(
                    choices=[
                        ("Usual for the level", ""),
                        ("Write from scratch", StarterForm.BLANK.value),
                        ("Fix a broken program", StarterForm.REPAIR.value),
                    ],
                    value="",
                    label="Coding questions",
                    info="By default, junior candidates fix a broken program; everyone else writes from scratch.",
                    elem_id="starter",
                )
                drill = gr.Checkbox(
                    value=False,
                    label="Drill: keep following up until every point is covered (practice only)",
                    elem_id="drill",
                )
                reviews = gr.Checkbox(
                    value=DEFAULTS.reviews > 0, label="Bring back questions I missed before", elem_id="reviews"
                )
                silence_steps = gr.Checkbox(
                    value=DEFAULTS.silence_steps, label="Check in when I go quiet", elem_id="silence-steps"
                )
                cut_short = gr.Checkbox(
                    value=DEFAULTS.style is Style.DEMANDING,
                    label="Interrupt me when I ramble",
                    info="At most once per question, after 90 seconds without a new point. On by default when the tone "
                    "is demanding.",
                    elem_id="cut-short",
                )
            draw_up = gr.Button("Show the agenda", elem_id="draw-up")
            # What is sent; the list below is what the person edits, and ``agenda.js`` keeps both the same.
            agenda = gr.Textbox("", visible="hidden", elem_id="agenda", elem_classes=FOR_SCRIPTS)
            agenda_list = gr.HTML("", visible=False, apply_default_css=False, elem_id="agenda-list")
            agenda_edited = gr.Textbox("", visible="hidden", elem_id="agenda-edited", elem_classes=FOR_SCRIPTS)
            start = gr.Button("Start the interview", variant="primary", elem_id="start")
            note = gr.HTML("", apply_default_css=False, elem_id="setup-note")
        with gr.Column(scale=2, min_width=300):
            with gr.Column(elem_classes="card"):
                gr.HTML("<h2>Where you stand</h2>", apply_default_css=False)
                history = gr.HTML("", apply_default_css=False, elem_id="history")
                daily = gr.Button("Practice what's due (5 min)", visible=False, elem_id="daily")
            with gr.Column(elem_classes="card"):
                loop_panel = loop.build()
            with gr.Column(visible=False, elem_classes="card") as earlier_group:
                gr.HTML("<h2>Unfinished interviews</h2>", apply_default_css=False)
                earlier = gr.Radio(choices=[], label="Interview", elem_id="earlier")
                resume = gr.Button("Resume", elem_id="resume", interactive=False)
            with gr.Column(elem_classes="card"):
                gr.HTML(
                    "<h2>Your background</h2><p class='quiet'>Add a résumé or a job description: its topics come"
                    " first, and the warm-up asks about something you did. The files are read once and not kept.</p>",
                    apply_default_css=False,
                )
                background = gr.File(
                    label="Add a résumé or job description",
                    file_count="multiple",
                    file_types=[".pdf", ".docx", ".txt", ".md", ".html"],
                    height=150,
                    elem_id="background",
                )
                known = gr.HTML("", apply_default_css=False, elem_id="known")
                forget = gr.Button("Delete my background", visible=False, elem_id="forget", size="sm")
            files, found, documents, listed, removal = _documents(locations)
    return SetupPanel(
        *(
            panel,
            readers,
            role,
            topics,
            level,
            span,
            length,
            kinds,
            mode,
            follow_ups,
            talks,
            own_documents,
            style,
            starter,
        ),
        *(drill, reviews, silence_steps, cut_short, draw_up, agenda, agenda_list, agenda_edited),
        *(start, history, daily, earlier_group, earlier, resume, background, known, forget, files, found),
        *(documents, listed, removal, note, loop_panel, given),
    )


def _documents(locations: DataLocations) -> tuple[gr.File, gr.HTML, gr.CheckboxGroup, gr.HTML, gr.Button]:
    """Where documents of one's own are added, chosen, and removed."""
    with gr.Column(elem_classes="card"):
        gr.HTML(
            "<h2>Your own documents</h2><p class='quiet'>Add PDFs, Word documents, web pages, notebooks,"
            " Markdown, text files, or tables. Questions from them will be mixed in with ours."
            f" {locations.documents}</p>",
            apply_default_css=False,
        )
        files = gr.File(
            label="Add documents",
            file_count="multiple",
            file_types=sorted(suffixes()),
            height=150,
            elem_id="documents",
        )
        found = gr.HTML("", apply_default_css=False, elem_id="found")
        documents = gr.CheckboxGroup(
            choices=[],
            label="Use questions from",
            info="Uncheck a document to leave it out.",
            visible=False,
            elem_id="asked-documents",
        )
        listed = gr.HTML("", apply_default_css=False, elem_id="own-documents")
        # Pressed by the page's script for the buttons of the list.
        removal = gr.Button("Remove", visible="hidden", elem_id="remove-document", elem_classes=FOR_SCRIPTS)
    return files, found, documents, listed, removal


def background_html(known: Background) -> str:
    """What was read off a résumé or a job description."""
    if not known.topics and not known.opening:
        return '<p class="quiet">You have not added anything yet.</p>'
    topics = f"<p>Topics: {safe_html.text(', '.join(known.topics))}.</p>" if known.topics else ""
    opening = f"<p>Warm-up: “{safe_html.text(known.opening)}”</p>" if known.opening else ""
    return f'<div class="note good" role="status">{topics}{opening}</div>'


def agenda_list_html(topics: Sequence[str]) -> str:
    """Where ``agenda.js`` lists the agenda: what it needs to know of kinds, their least minutes, and topics."""
    kinds = "".join(
        f'<option value="{kind.value}" data-least="{LEAST_MINUTES.get(kind, 1)}">{KINDS[kind].capitalize()}</option>'
        for kind in Kind
    )
    known = "".join(f'<option value="{safe_html.text(topic)}"></option>' for topic in topics)
    return (
        '<fieldset id="agenda-rows"><legend>Agenda</legend><ol></ol><button type="button" class="add">Add a question'
        f'</button><p role="status" class="quiet sum"></p></fieldset><datalist id="agenda-topics">{known}</datalist>'
        f'<template id="agenda-kinds"><option value="any" data-least="1">Any kind</option>{kinds}</template>'
    )


def added_html(questions: Sequence[Question], refused: Sequence[str]) -> str:
    """What was found in the documents that were just added, and what is wrong with those that cannot be used."""
    notes = "".join(f'<p class="note" role="status">{safe_html.text(said)}</p>' for said in refused)
    return notes + (found_html(questions) if questions or not refused else "")


def removed_html(name: str) -> str:
    """What is told once a document is removed."""
    return f'<p class="note" role="status">Removed {safe_html.text(name)} and its questions.</p>'


def found_html(questions: Sequence[Question]) -> str:
    """What was found in the documents that were just added."""
    if not questions:
        said = "No questions found in this document. Make each question a heading, or end it with a question mark."
        return f'<p class="note" role="status">{said}</p>'
    count = len(questions)
    listed = "".join(f"<li>{safe_html.text(_short(question.text))}</li>" for question in questions[:5])
    more = f"<li>and {count - 5} more</li>" if count > 5 else ""
    noun = "question was" if count == 1 else "questions were"
    return f'<div class="note good" role="status">{count} {noun} added.<ul>{listed}{more}</ul></div>'


def _short(text: str, most: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
