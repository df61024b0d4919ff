"""For print: the first page, with the result, what went well, what to fix first, and how it was spoken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interviewer.report.phrases import common, contested_marks, delivery, result
from interviewer.report.render.charts.canvas import ROLES
from interviewer.report.render.pages import quotes_again
from interviewer.report.render.pdf.blocks import heading, p, quoted, space
from interviewer.report.render.pdf.text import SOFT, VERDICT_INK, line, prose
from interviewer.report.schema.findings import Findings, Standing, View
from interviewer.report.schema.study import Highlight
from interviewer.text import shortened


def first_page(findings: Findings) -> Iterator[Any]:
    """The first page; all in it is shortened, so that it fits."""
    yield from heading(result.TITLE, "title", 0)
    ended = result.ended(findings)
    when = ""
    if findings.started:
        when = (
            f"{common.moment(findings.started)} · {common.duration(findings.seconds)} · {result.coverage(findings)}. "
        )
    yield p(f"{when}{ended}", "meta")
    if findings.damaged:
        yield p(line(result.damaged(findings.damaged)), "meta")
    if findings.view is View.INTERVIEWER:
        yield p(line(result.INTERVIEWER_VIEW), "meta")
    if findings.made.criteria_overridden:
        yield p(line(shortened(contested_marks.how_overridden(findings))), "meta")
    if result.without_score(findings):
        yield p(result.without_score(findings))
    if findings.standing:
        yield p(line(shortened(result.result(findings.standing), 300)), "result")
        yield _scale(findings.standing)
        yield p(line(f"{result.how_sure(findings.standing)} {result.scores(findings)}"), "meta")
    if result.contested(findings):
        yield p(line(result.contested(findings)), "small")
    if not findings.overall.asked:
        return
    yield _sides(findings)
    if said := result.only_sure(findings):
        yield p(said, "meta")
    if findings.manner:
        yield from heading(delivery.SPOKEN, "section", 0)
        yield p(line(shortened(" ".join(delivery.summary(findings.manner)))))


def _sides(findings: Findings) -> Any:
    """What went well beside what to fix first."""
    from reportlab.platypus import Table  # noqa: PLC0415 (half a second that only print has to wait for)

    well = [p(result.STRENGTHS, "section")]
    for item in findings.strengths:
        well += _highlight(result.stated(findings, item), item)
    first = [p(result.gaps_title(findings), "section")]
    for place, (item, again) in enumerate(zip(findings.fix_first, quotes_again(findings.fix_first), strict=True), 1):
        first += _highlight(result.stated(findings, item), item, place, again=again)
    well += [] if findings.strengths else [p(result.NO_STRENGTH, "meta")]
    first += [] if findings.fix_first else [p(result.no_gap(findings), "meta")]
    looks = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (0, -1), 0)]
    return Table([[well, first]], colWidths=["50%", "50%"], style=[*looks, ("RIGHTPADDING", (1, 0), (1, -1), 0)])


def _highlight(point: str, item: Highlight, place: int | None = None, *, again: bool = False) -> Iterator[Any]:
    reached = f" · {common.REACHED[item.reached]}" if common.REACHED[item.reached] and place is None else ""
    intro = line(result.quote_intro(item.quotes, shortened(common.written(item.asked), 200)))
    ink = VERDICT_INK[item.verdict]
    verdict = f' · <font color="{ink}"><b>{result.fix_word(item)}</b></font>' if place else reached
    number = f"{place}. " if place else ""
    yield p(f"<b>{number}{prose(shortened(point, 280))}</b>", "small")
    said = f"{intro}:</font> {quoted(item.quotes[:1], 240)}" if not again else f"{result.SAME_ANSWER}</font>"
    if not item.quotes:
        none = line(result.unquoted(item, shortened(common.written(item.asked), 200)))
        said = f"{none}</font>" if none else ""
    yield from [p(f'<font color="{SOFT}">{said}', "small")] if said else []
    yield p(f"Question {item.number}, {line(shortened(item.topic, 60))}{verdict}", "meta")
    yield space(4)


def _scale(standing: Standing) -> Any:
    from reportlab.graphics.shapes import Drawing, Rect, String  # noqa: PLC0415
    from reportlab.lib.colors import HexColor  # noqa: PLC0415

    width, base, thick = 420.0, 16.0, 6.0
    drawing = Drawing(width, 30)

    def bar(low: float, high: float, color: str, y: float = base, height: float = thick) -> None:
        place = (width * low, y, width * (high - low), height)
        drawing.add(Rect(*place, fillColor=HexColor(color), strokeColor=None, strokeWidth=0))

    bar(0.0, 1.0, ROLES["bar-none"])
    reach = standing.likely
    if reach is not None:
        bar(*reach, ROLES["bar-helped"])
    for step in (0.4, 0.6, 0.8):
        bar(step - 0.001, step + 0.001, SOFT, base - 2, thick + 4)
    bar(standing.score - 0.004, standing.score + 0.004, ROLES["ink"], base - 4, thick + 8)
    begin = 0.0
    for name, end in result.SCALE:
        middle = width * (begin + end) / 2
        drawing.add(
            String(middle, 3, name, fontName="sans", fontSize=7.5, textAnchor="middle", fillColor=HexColor(SOFT))
        )
        begin = end
    return drawing
