"""The report as PDF, set from the findings like every other form of it."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from itertools import chain
from typing import Any

from interviewer.report.phrases import calibration, common, contested_marks, delivery, study
from interviewer.report.render.charts.base import Picture
from interviewer.report.render.charts.registry import pictures
from interviewer.report.render.pdf import sections
from interviewer.report.render.pdf.blocks import SWATCHES, heading, labeled, p
from interviewer.report.render.pdf.front_page import first_page
from interviewer.report.render.pdf.questions import question_pages, talk_pages
from interviewer.report.render.pdf.text import LINK, inline, line, styles
from interviewer.report.schema.findings import Findings
from interviewer.session.plan import SegmentKind
from interviewer.text import shortened

_MARGIN = 54.0
_PICTURE_WIDTH = 400.0
_PICTURE_HEIGHT = 560.0
"""Of a page that has 733 and holds the picture's title and explanation too; many topics make a tall picture."""

_SETTING = threading.Lock()
"""The setter keeps what it used of a font in the font itself: one report at a time."""


def render_pdf(findings: Findings) -> bytes:
    """The whole report as a PDF for A4, with bookmarks and page numbers; the same findings give the same bytes."""
    from reportlab.lib.pagesizes import A4  # noqa: PLC0415 (half a second that only print has to wait for)
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
        styles()
        page.build(list(_story(findings)), canvasmaker=numbered(f"Interview report{when}"))
    return written.getvalue()


def _story(findings: Findings) -> Iterator[Any]:
    yield from first_page(findings)
    drawn = pictures(findings)
    if drawn:
        yield from heading("At a glance", "section", 0)
    for each in drawn:
        yield from _picture(each)
        if each.name == "confidence":
            yield p(line(calibration.HOW_CONFIDENT), "meta")
    if findings.questions or findings.talks:
        yield from heading("Question by question", "section", 0)
        yield from talk_pages(findings, SegmentKind.WARM_UP)
        yield from chain.from_iterable(question_pages(question, findings.view) for question in findings.questions)
        yield from talk_pages(findings, SegmentKind.THEIR_QUESTIONS)
        yield from talk_pages(findings, SegmentKind.WAY_BACK)
    if findings.manner:
        yield from heading(delivery.MANNER, "section", 0)
        yield from sections.manner(findings.manner)
    if findings.study:
        yield from heading(study.STUDY, "section", 0)
        yield from sections.study(findings)
    if findings.notes:
        yield from heading(common.NOTES, "section", 0)
        yield from sections.notes(findings.notes)
    yield from _how_made(findings)


def _picture(picture: Picture) -> Iterator[Any]:
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415
    from reportlab.platypus import Image, KeepTogether  # noqa: PLC0415

    png = picture.png()
    width, height = ImageReader(io.BytesIO(png)).getSize()
    scale = min(_PICTURE_WIDTH / width, _PICTURE_HEIGHT / height)
    key = "   ".join(
        f'<font color="{SWATCHES[role]}">■</font> {meaning}'
        if (role := sign.partition(" ")[0]) in SWATCHES and role != "paper"
        else f"{'□' if role == 'paper' else sign} {meaning}"
        for sign, meaning in picture.key
    )
    yield KeepTogether(
        [
            p(picture.title, "sub"),
            Image(io.BytesIO(png), scale * width, scale * height, hAlign="LEFT"),
            p(key, "meta"),
            p(line(shortened(picture.description, 900)), "meta"),
        ]
    )


def _how_made(findings: Findings) -> Iterator[Any]:
    made = findings.made
    yield from heading("How this report was made", "section", 0)
    told = [common.WHO_SAYS_WHAT, common.HOW_SCORED, common.HOW_BANDS]
    told += [common.HOW_SELF_ASSESSED] if made.criteria_self_assessed else []
    told += [contested_marks.how_disputed(findings)] if made.criteria_disputed else []
    yield from (p(inline(sentence), "meta") for sentence in told)
    for judge in made.judges:
        digest = f"weights’ SHA-256 {judge.digest}" if judge.digest else "digest of the weights not told"
        yield labeled("Judge", line(f"{judge.judge} on {judge.model}, {digest}."))
        yield p(inline(common.trust(judge)), "meta")
    if not made.judges:
        yield labeled("Judge", "none: nothing was graded")
    for rubric in made.rubrics:
        origin = f", {common.ORIGINS[rubric.origin]}" if rubric.origin else ""
        asked = "" if rubric.as_asked else ", not the version the question carried when asked"
        name = shortened(rubric.question_id, 200)
        yield p(line(f"Rubric of question {rubric.number}: {name}, version {rubric.version}{origin}{asked}"), "meta")
    for item in made.unscored:
        what = f"point {shortened(item.criterion_id, 200)}" if item.criterion_id else "one answer"
        reason = shortened(common.clause(item.reason), 600)
        yield p(line(f"Without a mark: question {item.number}, {what}: {reason}"), "meta")
    if made.phrased is not None:
        models = shortened(" and ".join(made.phrased.models), 200)
        yield labeled("Follow-ups worded by", line(f"{models}: {common.phrased(made.phrased)}"))
    yield labeled("Interview", f'<font face="mono">{inline(findings.session_id, "mono")}</font>')
    again = common.command(findings, "pdf")
    yield labeled("Make it again", f'<font face="mono" color="{LINK}">{inline(again, "mono")}</font>')
