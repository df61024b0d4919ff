"""The report as HTML: one self-contained file, or a piece of a page. No scripts, nothing loaded from elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it.token import Token
from markupsafe import Markup, escape

from interviewer.report.document_parser import parser
from interviewer.report.export.audio_clips import SILENT, Sounds
from interviewer.report.phrases import (
    calibration,
    common,
    contested_marks,
    delivery,
    overview,
    provenance,
    reference,
    result,
    study,
)
from interviewer.report.phrases import code as code_words
from interviewer.report.render.charts.base import Picture
from interviewer.report.render.charts.drawing import drawn
from interviewer.report.render.charts.registry import pictures
from interviewer.report.render.evidence_spans import pieces
from interviewer.report.render.marked_reference import marked_tokens
from interviewer.report.render.pages import plan_page, question_lines, quotes_again, time_spent
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuestionFinding
from interviewer.text import percent, shortened, visible

_TEMPLATES = Path(__file__).parent / "templates"

_MARKDOWN_LIMIT = 50_000
"""Longer documents are shown as plain text: no honest reference is that long, and parsing hostile ones is slow."""


def render_html(findings: Findings, sounds: Sounds = SILENT) -> str:
    """The whole report as one HTML document, light or dark as the reader's system is, and fit to print.

    Args:
        findings: what it says.
        sounds: what can be listened to in it.

    """
    return _rendered("document.html", findings, sounds, top=1)


def render_html_fragment(findings: Findings, sounds: Sounds = SILENT, *, commands: bool = True, opened: int = 0) -> str:
    """The report as one element with its styles, to stand in a page that has a first-level heading of its own.

    All styles are scoped under ``.interview-report``; it is dark inside of an element of class ``dark``.

    Args:
        findings: what it says.
        sounds: what can be listened to in it.
        commands: whether it names commands, which not every reader can run.
        opened: number of the question that is unfolded.

    """
    return _rendered("fragment.html", findings, sounds, top=2, commands=commands, opened=opened)


def _rendered(
    template: str, findings: Findings, sounds: Sounds, *, top: int, commands: bool = True, opened: int = 0
) -> str:
    shown = {
        "findings": findings,
        "pictures": pictures(findings),
        "sounds": sounds,
        "top": top,
        "commands": commands,
        "opened": opened,
        "lines": question_lines(findings),
        "plan": plan_page(findings),
        "time_spent": time_spent(findings),
        "quoted_above": quotes_again(findings.fix_first),
    }
    return environment().get_template(template).render(shown)


def _shown(text: str) -> Markup:
    """Untrusted text as HTML that shows exactly this text."""
    return escape(visible(text))


def _prose(text: str) -> Markup:
    """A sentence of the bank or of a document as HTML: as text, but for its inline code."""
    parts = (Markup("<code>{}</code>").format(part) if code else escape(part) for part, code in common.code_spans(text))
    return Markup("").join(parts)


def _drawing(question: QuestionFinding) -> Picture | None:
    return drawn(question.drawing, question.number) if question.drawing else None


def _svg(picture: Picture) -> Markup:
    return Markup(picture.svg())  # noqa: S704 (made by us; names in it are text nodes of an XML tree)


def _markdown(text: str) -> Markup:
    """Markdown of a document as HTML: no raw HTML, no images, headings as bold lines."""
    text = visible(text)
    if len(text) > _MARKDOWN_LIMIT:
        return Markup('<pre class="plain">{}</pre>').format(text)
    return _rendered_tokens(parser().parse(text))


def _marked(question: QuestionFinding) -> Markup:
    """The reference as HTML, with the sentences marked that make points."""
    if question.reference_sentences:
        return _rendered_tokens(marked_tokens(question))
    return _markdown(common.introduced(question.reference))


def _rendered_tokens(tokens: list[Token]) -> Markup:
    for token in tokens:
        _tame(token)
    return Markup(parser().renderer.render(tokens, parser().options, {}))  # noqa: S704 (raw HTML is off)


def _tame(token: Token) -> None:
    """Make headings paragraphs, so that they do not disturb the report's own, and links leave no trace."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = "p"
        if token.nesting == 1:
            token.attrSet("class", "heading")
    if token.type == "link_open":
        token.attrSet("rel", "noopener noreferrer nofollow")
    if token.type in {"fence", "code_block"}:
        token.info = ""
    for child in token.children or ():
        _tame(child)


@cache
def environment() -> Environment:
    """Where the templates are: everything is escaped, and a name that is not there is an error."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        shown=_shown,
        prose=_prose,
        svg=_svg,
        markdown=_markdown,
        marked=_marked,
        pieces=pieces,
        drawing=_drawing,
        shortened=shortened,
        percent=percent,
        written=common.written,
        moment=common.moment,
        duration=common.duration,
    )
    made.globals.update(
        words=common,
        reference_words=reference,
        result_words=result,
        overview_words=overview,
        made_words=provenance,
        code_words=code_words,
        study_words=study,
        manner_words=delivery,
        contested_words=contested_marks,
        confidence_words=calibration,
    )
    return made
