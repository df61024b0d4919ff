"""Below the report: what the judge left open, for the person to settle beside the reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import gradio as gr

from interviewer.report.analysis.questions import question_finding
from interviewer.report.phrases.common import clause, introduced, written
from interviewer.report.schema.question import CriterionFinding, QuestionFinding
from interviewer.scoring import self_assessment
from interviewer.scoring.overrides import with_overrides
from interviewer.session.events import OwnVerdict
from interviewer.session.state import State
from interviewer.text import shortened
from interviewer.web import safe_html
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations
from rubric.model import Verdict
from serving.frozen import FrozenModel

CHOICES: Mapping[str, OwnVerdict] = {
    "Met": Verdict.MET,
    "Partly met": Verdict.PARTIAL,
    "Missing": Verdict.MISSING,
    "Contradicted": Verdict.CONTRADICTED,
}
"""What the person can choose, and the verdict it is."""

KEPT_HTML = '<p class="quiet" role="status">Saved as self-assessed.</p>'
"""Told once a choice is stored."""

_NAMES: Mapping[Verdict | None, str] = {verdict: name for name, verdict in CHOICES.items()}
_WORDS_SHOWN = 1_000


class LeftOpen(FrozenModel):
    """What the judge left open of one question.

    Attributes:
        question: the question as the report has it.
        answers: what the person said on it, in order.
        points: the criteria left open, at least one.

    """

    question: QuestionFinding
    answers: tuple[str, ...]
    points: tuple[CriterionFinding, ...]


@dataclass(frozen=True)
class Choice:
    """The elements for one point that others read or change."""

    asked_id: str
    criterion_id: str
    verdict: gr.Radio
    note: gr.HTML


def left_open(state: State) -> tuple[LeftOpen, ...]:
    """What the judge left open in an interview, settled or not, question by question."""
    found = []
    for asked in map(with_overrides, state.asked):
        ids = {verdict.id for verdict in self_assessment.left_open(asked)}
        if ids:
            question = question_finding(asked)
            points = tuple(point for point in question.criteria if point.id in ids)
            answers = tuple(answer.text for answer in asked.answers)
            found.append(LeftOpen(question=question, answers=answers, points=points))
    return tuple(found)


def build(questions: Sequence[LeftOpen], locations: DataLocations = ALL_HERE) -> tuple[Choice, ...]:
    """Lay out what is to be settled; call inside a ``gr.Blocks``. Nothing is shown when nothing is left open."""
    if not questions:
        return ()
    with gr.Column(elem_classes="card"):
        gr.HTML(
            "<h2>Settle what the judge was unsure about, or what you dispute</h2><p>Compare your words with the "
            "reference and judge for yourself. Your mark is labeled as self-assessed and leaves the judge’s marks "
            f"as they are. {locations.self_assessment}</p>",
            apply_default_css=False,
        )
        return tuple(choice for left in questions for choice in _question(left))


def _question(left: LeftOpen) -> Iterator[Choice]:
    question = left.question
    asked = safe_html.text(shortened(written(question.spoken), 240))
    gr.HTML(f"<h3>{question.number}. {asked}</h3>{_reference_html(question)}", apply_default_css=False)
    for point in left.points:
        gr.HTML(_point_html(point, left.answers), apply_default_css=False)
        verdict = gr.Radio(
            list(CHOICES),
            value=_NAMES.get(point.self_assessed),
            label=f"Question {question.number}, point {point.number}: your own mark",
        )
        yield Choice(question.asked_id, point.id, verdict, gr.HTML("", apply_default_css=False))


def _point_html(point: CriterionFinding, answers: Sequence[str]) -> str:
    words = [quote.text for quote in point.quotes] or list(answers)
    said = "".join(f"<blockquote>{safe_html.text(shortened(each, _WORDS_SHOWN))}</blockquote>" for each in words)
    why = clause(point.reason)
    doubt = f"The judge could not score this: {why}" if point.verdict is Verdict.UNSCORED else "The judge was unsure"
    doubt = "You dispute this mark" if point.dispute else doubt
    return (
        f"<p><b>{point.number}</b> {safe_html.markdown_line(point.text)}</p>"
        f'<p class="quiet">{safe_html.text(doubt)}. You said:</p>{said}'
    )


def _reference_html(question: QuestionFinding) -> str:
    if not question.reference:
        return '<p class="quiet">The source has no reference answer.</p>'
    shown = safe_html.markdown(introduced(question.reference))
    return f'<details><summary>Reference answer</summary><div class="prose">{shown}</div></details>'
