"""Below the report: the marks that the person can dispute in one click, and what they dispute already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import gradio as gr

from interviewer.report.analysis.questions import question_finding
from interviewer.report.phrases.common import verdict_word, written
from interviewer.report.phrases.contested_marks import first_reading, reading_result, readings_compared, second_read
from interviewer.report.schema.question import CriterionFinding, QuestionFinding
from interviewer.scoring import disputes
from interviewer.session.state import State
from interviewer.text import shortened
from interviewer.web import safe_html
from serving.frozen import FrozenModel

READING_AGAIN = "The judge is reading this point a second time."
"""Told until the second reading is there."""


class Disputable(FrozenModel):
    """What can be disputed of one question, and what is.

    Attributes:
        question: as the report has it.
        open: the criteria whose mark can be disputed.
        disputed: those whose mark is.

    """

    question: QuestionFinding
    open: tuple[CriterionFinding, ...]
    disputed: tuple[CriterionFinding, ...]


@dataclass(frozen=True)
class Contest:
    """The elements for one mark that others read or change."""

    asked_id: str
    criterion_id: str
    reason: gr.Textbox
    button: gr.Button
    note: gr.HTML


def disputable(state: State) -> tuple[Disputable, ...]:
    """What can be disputed in an interview, question by question; only questions with something to say about."""
    found = []
    for asked in state.asked:
        ids = {verdict.id for verdict in disputes.open_to_dispute(asked, ended=state.ended is not None)}
        if ids or asked.disputes:
            question = question_finding(asked)
            found.append(
                Disputable(
                    question=question,
                    open=tuple(point for point in question.criteria if point.id in ids),
                    disputed=tuple(point for point in question.criteria if point.dispute),
                )
            )
    return tuple(found)


def build(questions: Sequence[Disputable]) -> tuple[Contest, ...]:
    """Lay out what can be disputed; call inside a ``gr.Blocks``. Nothing is shown where nothing is graded."""
    if not questions:
        return ()
    begun = any(one.disputed for one in questions)
    with gr.Column(elem_classes="card", elem_id="disputes"):
        gr.HTML(
            "<h2>Dispute a mark</h2><p>If you think a mark is wrong, the judge grades the point a second time: by "
            "itself, reading only the sentences nearest to it. The report shows both readings; neither replaces the "
            "other. You can also settle a disputed point yourself, above.</p>",
            apply_default_css=False,
        )
        with gr.Accordion("The marks of this interview", open=begun):
            return tuple(contest for one in questions for contest in _question(one))


def _question(one: Disputable) -> Iterator[Contest]:
    question = one.question
    gr.HTML(question_html(one), apply_default_css=False)
    if not one.open:
        return
    reason = gr.Textbox(
        label=f"Question {question.number}: your reason (optional; the judge will not see it)",
        max_length=disputes.LONGEST_REASON,
        lines=1,
        # A mark disputed lays all of this out anew; what is written on another stays.
        key=("reason", question.asked_id),
    )
    for point in one.open:
        gr.HTML(point_html(point), apply_default_css=False)
        button = gr.Button(f"Dispute question {question.number}, point {point.number}", size="sm")
        yield Contest(question.asked_id, point.id, reason, button, gr.HTML("", apply_default_css=False))


def question_html(one: Disputable) -> str:
    """A question, and which of its marks are disputed."""
    question = one.question
    heading = f"<h3>{question.number}. {safe_html.text(shortened(written(question.spoken), 240))}</h3>"
    return heading + "".join(map(_disputed_html, one.disputed))


def point_html(point: CriterionFinding) -> str:
    """A point and its mark."""
    return f"<p><b>{point.number}</b> {verdict_word(point)}: {safe_html.markdown_line(point.text)}</p>"


def _disputed_html(point: CriterionFinding) -> str:
    """What the judge read the first time and the second, and what both come to."""
    said = f"You dispute the mark of point {point.number}: {first_reading(point)}."
    second = point.dispute.second if point.dispute else None
    if second is not None:
        said += f" The second reading, {second_read(second)}: {reading_result(second)}."
    return f'<p class="quiet" role="status">{safe_html.text(f"{said} {readings_compared(point)}")}</p>'
