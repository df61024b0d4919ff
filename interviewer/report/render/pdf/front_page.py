"""For print: the first page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from interviewer.report.phrases import common, contested_marks, study
from interviewer.report.render.pdf.blocks import SIGNS, SWATCHES, by, heading, labeled, p, panel, quoted, space
from interviewer.report.render.pdf.text import SOFT, VERDICT_INK, line, prose
from interviewer.report.schema.findings import Findings, Standing, View
from interviewer.report.schema.study import Highlight
from interviewer.text import count, percent, shortened


def first_page(findings: Findings) -> Iterator[Any]:
    """The result, scores, strengths and gaps, what to fix first, and who says what."""
    yield from heading("Interview report", "title", 0)
    when = f"{common.moment(findings.started)} · {common.duration(findings.seconds)} · " if findings.started else ""
    ended = common.ENDED[findings.ended] if findings.ended else "The interview is still open."
    yield p(f"{when}Planned: {line(shortened(common.planned(findings), 600))}. {ended}", "meta")
    if findings.damaged:
        yield p(line(common.damaged(findings.damaged)), "meta")
    if findings.view is View.INTERVIEWER:
        yield p(line(study.INTERVIEWER_VIEW), "meta")
    if findings.made.criteria_overridden:
        yield p(line(shortened(contested_marks.how_overridden(findings), 600)), "meta")
    if findings.standing:
        yield p(line(shortened(common.result(findings.standing), 400)) + by("computed"), "result")
        yield _scale(findings.standing)
        yield p(line(common.how_sure(findings.standing)), "meta")
    if not findings.overall.asked or common.without_score(findings):
        yield p(common.without_score(findings))
    if not findings.overall.asked:
        return
    yield _scores(findings)
    yield _sides(findings)
    yield from _fix(findings)
    legend = "   ".join(
        f'<font face="sans-bold">{SIGNS[maker]} {maker}</font> {told};' for maker, told in common.MADE_BY
    )
    yield p(f"{legend.rstrip(';')}.", "meta")


def _scores(findings: Findings) -> Any:
    from reportlab.platypus import Table  # noqa: PLC0415

    tally = findings.overall
    scores = [
        ("Unaided", tally.unaided, tally.graded_unaided),
        ("With follow-ups and hints", tally.final, tally.graded),
    ]
    if tally.self_assessed is not None:
        scores.append((common.WITH_OWN, tally.self_assessed, tally.graded_self_assessed))
    cells = [
        [
            p(title, "label"),
            p(percent(score), "big"),
            p(f"of 100, over {count(over, 'question')}", "meta"),
        ]
        for title, score, over in scores
    ]
    facts = [
        labeled("Time", common.duration(findings.seconds)),
        labeled("Coverage", common.covered(findings)),
        labeled("Certainty", common.certainty(findings) or "–"),
    ]
    widths = [f"{58 // len(scores)}%"] * len(scores) + ["42%"]
    padding = [("LEFTPADDING", (0, 0), (0, -1), 0), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    return Table([[*cells, facts]], colWidths=widths, style=padding, spaceBefore=4)


def _sides(findings: Findings) -> Any:
    """Strengths beside gaps; all in it is shortened, so that it fits on a page."""
    from reportlab.platypus import Table  # noqa: PLC0415

    def side(title: str, items: Sequence[Highlight], empty: str) -> list[Any]:
        told = list(chain.from_iterable(map(_highlight, items))) or [p(empty, "meta")]
        return [p(f"{title}{by('judged')}", "section"), *told]

    cells = [side("Strengths", findings.strengths, common.NO_STRENGTH), side("Gaps", findings.gaps, common.NO_GAP)]
    looks = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (0, -1), 0)]
    return Table([cells], colWidths=["50%", "50%"], style=[*looks, ("RIGHTPADDING", (1, 0), (1, -1), 0)])


def _scale(standing: Standing) -> Any:
    from reportlab.graphics.shapes import Drawing, Rect, String  # noqa: PLC0415
    from reportlab.lib.colors import HexColor  # noqa: PLC0415

    width, base, thick = 420.0, 16.0, 6.0
    drawing = Drawing(width, 30)

    def bar(low: float, high: float, color: str, y: float = base, height: float = thick) -> None:
        place = (width * low, y, width * (high - low), height)
        drawing.add(Rect(*place, fillColor=HexColor(color), strokeColor=None, strokeWidth=0))

    bar(0.0, 1.0, "#e9e4d9")
    if standing.reach is not None:
        bar(*standing.reach, "#a8d2ea")
    if standing.interval is not None:
        bar(*standing.interval, SWATCHES["bar"])
    for step in (0.4, 0.6, 0.8):
        bar(step - 0.001, step + 0.001, SOFT, base - 2, thick + 4)
    bar(standing.score - 0.004, standing.score + 0.004, "#211f1b", base - 4, thick + 8)
    for middle, name in ((0.2, "not yet"), (0.5, "approaching"), (0.7, "solid"), (0.9, "strong")):
        drawing.add(
            String(
                width * middle, 3, name, fontName="sans", fontSize=7.5, textAnchor="middle", fillColor=HexColor(SOFT)
            )
        )
    return drawing


def _highlight(item: Highlight) -> Iterator[Any]:
    reached = f", {common.REACHED[item.reached]}" if common.REACHED[item.reached] else ""
    asked = line(common.quote_intro(item.quotes, shortened(item.asked, 140)))
    verdict = f'<font color="{VERDICT_INK[item.verdict]}"><b>{common.VERDICTS[item.verdict]}</b></font>{reached}'
    yield p(f"<b>{prose(shortened(item.text, 220))}</b>", "small")
    yield p(f'<font color="{SOFT}">{asked}:</font> {quoted(item.quotes[:1], 160)}', "small")
    yield p(f"Question {item.number}, point {item.point}, {line(shortened(item.topic, 80))} · {verdict}", "meta")
    yield space(3)


def _fix(findings: Findings) -> Iterator[Any]:
    fix = findings.fix
    if fix is None:
        return
    gap = findings.gaps[0]
    asked = line(common.quote_intro(gap.quotes, shortened(gap.asked, 140)))
    rows = [
        p(f"Fix this first (question {fix.number}){by('computed', 'written')}", "label"),
        p(prose(shortened(fix.say, 600)), "say"),
        labeled(f"{asked}:", quoted(gap.quotes[:1], 220)),
    ]
    if fix.misconception:
        rows.append(labeled("A common misconception:", prose(shortened(fix.misconception, 600))))
    rows.append(labeled("Practice aloud:", prose(shortened(fix.practise, 600))))
    reading = "".join(f"; {line(shortened(title, 200))}" for title in fix.reading[:6])
    rows.append(labeled("Read up:", f"the reference answer to question {fix.number}{reading}"))
    yield panel(rows, SWATCHES["bar"])
