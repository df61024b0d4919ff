"""For print: the second page, with a line a question, and the third, with the plan."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from interviewer.report.phrases import calibration, common, overview
from interviewer.report.phrases import study as words
from interviewer.report.render.charts.base import Picture
from interviewer.report.render.pages import PlanEntry, plan_page, question_lines, time_spent
from interviewer.report.render.pdf.blocks import heading, key, p, space
from interviewer.report.render.pdf.text import RULE, line, prose
from interviewer.report.schema.findings import Findings
from interviewer.text import percent, shortened

_PICTURE_WIDTH = 330.0
_PICTURE_HEIGHT = 560.0
"""Of a page that has 733 and holds the picture's title and explanation too; many topics make a tall picture."""


def overview_page(findings: Findings, by_topic: Picture | None) -> Iterator[Any]:
    """A line a question, the picture by topic, and where the time went."""
    yield from heading(overview.QUESTIONS, "section", 0)
    yield _lines(findings)
    yield space(3)
    yield p(line(overview.HOW_SCORED), "small")
    yield space(8)
    if by_topic is not None:
        yield from picture(by_topic)
    yield p(line(time_spent(findings)))
    if findings.confidence:
        yield p(line(calibration.sentence(findings.confidence)))


def _lines(findings: Findings) -> Any:
    from reportlab.platypus import Table  # noqa: PLC0415 (half a second that only print has to wait for)

    rows = [[p(name, "label") for name in overview.HEAD]]
    rows += [
        [
            p(line(f"{each.number}. {each.title}"), "small"),
            p(each.points, "small"),
            p(percent(each.score), "small"),
            p(each.minutes, "small"),
        ]
        for each in question_lines(findings)
    ]
    looks = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LINEBELOW", (0, 0), (-1, -1), 0.5, RULE)]
    looks += [("LEFTPADDING", (0, 0), (0, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 2)]
    return Table(rows, colWidths=["60%", "22%", "8%", "10%"], style=looks)


def picture(drawn: Picture) -> Iterator[Any]:
    """A picture with its title and key."""
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415
    from reportlab.platypus import Image, KeepTogether  # noqa: PLC0415

    png = drawn.png()
    width, height = ImageReader(io.BytesIO(png)).getSize()
    scale = min(_PICTURE_WIDTH / width, _PICTURE_HEIGHT / height)
    yield KeepTogether(
        [
            p(drawn.title, "sub"),
            Image(io.BytesIO(png), scale * width, scale * height, hAlign="LEFT"),
            p("   ".join(map(key, drawn.key)), "meta"),
        ]
    )


def study_page(findings: Findings) -> Iterator[Any]:
    """The plan."""
    page = plan_page(findings)
    yield from heading(words.STUDY, "section", 0)
    if page.entries:
        yield p(line(words.ORDER), "meta")
    else:
        yield p(words.NOTHING_SURE if page.to_check else words.NOTHING_TO_STUDY)
    for place, entry in enumerate(page.entries, 1):
        yield from _entry(place, entry)
    if page.to_check:
        yield p(words.TO_CHECK, "item")
        yield p(words.WHY_CHECK, "meta")
        for item in page.to_check:
            yield p(f"{prose(shortened(item.say, 200))} (question {item.number})", "list")
    if page.doubted:
        yield p(words.LOOK_UP, "item")
        yield p(words.WHY_LOOK_UP, "meta")
        for each in page.doubted:
            yield p(f"“{line(shortened(each.quoted, 200))}” (question {each.number})", "list")
    if page.rest:
        yield p(words.more(len(page.rest)), "meta")


def _entry(place: int, entry: PlanEntry) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether  # noqa: PLC0415

    item = entry.item
    named = line(shortened(entry.named, 80)) if entry.named else prose(shortened(item.say, 200))
    rows = [p(f"<b>{place}. {named}</b>")]
    for each in entry.lines:
        quoted = f" <i>“{line(shortened(each.quoted, 200))}”</i>" if each.quoted else ""
        rows.append(p(f"{line(each.words)}{quoted}", "list"))
    stood = "" if entry.gap else f", {words.missed(item)}"
    rows.append(p(line(f"{words.when(item)} · question {item.number}{stood}"), "note"))
    yield KeepTogether([*rows, space(3)])


def _said(spoken: str) -> str:
    return f"<i>“{line(shortened(common.written(spoken), 200))}”</i>"


def rest(findings: Findings) -> Iterator[Any]:
    """What of the plan has no room on its page, without its heading."""
    for item in plan_page(findings).rest:
        yield p(f"<b>{prose(shortened(item.say))}</b>")
        yield p(f"{line(item.exercise)} {_said(item.prompt)}", "list")
        yield p(line(f"{words.when(item)} · question {item.number}, {words.missed(item)}"), "note")
    if words.left_out(findings):
        yield p(words.left_out(findings), "meta")
