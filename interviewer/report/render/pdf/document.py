"""The report as PDF, set from the findings like every other form of it."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from interviewer.report.phrases import calibration, common, delivery, provenance, study
from interviewer.report.render.charts.registry import pictures
from interviewer.report.render.pdf import sections
from interviewer.report.render.pdf.blocks import heading, labeled, p
from interviewer.report.render.pdf.front_page import first_page
from interviewer.report.render.pdf.plan_pages import overview_page, picture, rest, study_page
from interviewer.report.render.pdf.questions import question_pages, talk_pages
from interviewer.report.render.pdf.text import inline, line, styles
from interviewer.report.schema.findings import Findings, View
from interviewer.session.plan import SegmentKind
from interviewer.text import shortened

_MARGIN = 54.0
_ROOM_TO_BEGIN = 200.0
"""Height that must be left of a page for the appendix to begin on it."""
_SETTING = threading.Lock()
"""The setter keeps what it used of a font in the font itself: one report at a time."""


def render_pdf(findings: Findings) -> bytes:
    """The whole report as a PDF for A4, with bookmarks and page numbers; the same findings give the same bytes."""
    return _set(findings, _story)


def render_summary(findings: Findings) -> bytes:
    """What the report begins with, up to its plan, as a PDF of one page."""
    return _set(findings, first_page)


def _set(findings: Findings, story: Callable[[Findings], Iterator[Any]]) -> bytes:
    from reportlab import rl_config  # noqa: PLC0415 (half a second that only print has to wait for)
    from reportlab.lib.pagesizes import A4  # noqa: PLC0415
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate  # noqa: PLC0415

    from interviewer.report.render.pdf.page_frame import numbered  # noqa: PLC0415

    written = io.BytesIO()
    width, height = A4
    when = f", {common.moment(findings.started)}" if findings.started else ""
    page = BaseDocTemplate(
        written,
        pagesize=A4,
        title=f"Interview report{when}",
        author="",
        subject="",
        creator="",
        lang="en",
        invariant=1,
        pageCompression=1,
    )
    frame = Frame(_MARGIN, _MARGIN, width - 2 * _MARGIN, height - 2 * _MARGIN, 0, 0, 0, 0)
    page.addPageTemplates([PageTemplate("report", [frame])])
    with _SETTING:
        # As text a PDF is a quarter larger, and its letters are made one by one.
        rl_config.useA85 = 0
        styles()
        page.build(list(story(findings)), canvasmaker=numbered(f"Interview report{when}"))
    return written.getvalue()


def _story(findings: Findings) -> Iterator[Any]:
    from reportlab.platypus import CondPageBreak  # noqa: PLC0415

    drawn = pictures(findings)
    yield from first_page(findings)
    if findings.overall.asked:
        if findings.view is not View.INTERVIEWER:
            yield from study_page(findings)
        yield from overview_page(findings, next((each for each in drawn if each.name == "topics"), None))
    yield CondPageBreak(_ROOM_TO_BEGIN)
    yield from heading(common.APPENDIX, "title", 0)
    yield from talk_pages(findings, SegmentKind.WARM_UP)
    yield from chain.from_iterable(question_pages(question, findings.view) for question in findings.questions)
    yield from talk_pages(findings, SegmentKind.THEIR_QUESTIONS)
    yield from talk_pages(findings, SegmentKind.WAY_BACK)
    if findings.manner:
        yield from heading(delivery.IN_DETAIL, "section", 1)
        yield from sections.spoken(findings.manner)
    others = [each for each in drawn if each.name != "topics"]
    if others:
        yield from heading("Pictures", "section", 1)
    for each in others:
        yield from picture(each)
        yield p(line(shortened(each.description, 900)), "meta")
        if each.name == "confidence":
            yield p(line(calibration.HOW_CONFIDENT), "meta")
    if findings.study:
        yield from heading(study.REST, "section", 1)
        yield from rest(findings)
    if findings.notes:
        yield from heading(common.NOTES, "section", 1)
        yield from sections.notes(findings.notes)
    yield from _how_made(findings)


def _how_made(findings: Findings) -> Iterator[Any]:
    made = findings.made
    yield from heading(provenance.HOW_MADE, "section", 1)
    yield from (p(inline(shortened(said, 1_200)), "meta") for said in provenance.principles(findings))
    for judge in made.judges:
        digest = (
            f"fingerprint of its weights (SHA-256) {judge.digest}"
            if judge.digest
            else "fingerprint of its weights not reported"
        )
        yield labeled("Judge", line(f"{judge.judge} on {judge.model}, {digest}."))
        yield p(inline(provenance.trust(judge)), "meta")
    if not made.judges:
        yield labeled("Judge", "none: nothing was graded")
    for rubric in made.rubrics:
        name = shortened(rubric.question_id, 200)
        told = f"Rubric of question {rubric.number}: {name}, version {rubric.version}{provenance.rubric(rubric)}"
        yield p(line(told), "meta")
    for item in made.unscored:
        what = f"point {shortened(item.criterion_id, 200)}" if item.criterion_id else "one answer"
        reason = shortened(provenance.unscored(item), 600)
        yield p(line(f"Not graded: question {item.number}, {what}: {reason}"), "meta")
    if made.phrased is not None:
        models = shortened(" and ".join(made.phrased.models), 200)
        yield labeled("Follow-ups worded by", line(f"{models}: {provenance.phrased(made.phrased)}"))
    yield labeled("Interview", f'<font face="mono">{inline(findings.session_id, "mono")}</font>')
