"""The HTML report as a strict parser reads it: the standard's own rules, and its size."""

from __future__ import annotations

from collections.abc import Callable

import html5lib
import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html, render_html_fragment
from interviewer.report.schema.findings import Findings
from interviewer.session.state import State
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.hour import hour
from tests.interviewer.report.sample_session import telling

MOST_BYTES = 1_500_000
MADE: dict[str, Callable[[], Findings]] = {
    "an hour": lambda: findings("s1", hour().state),
    "a short one": lambda: findings("s1", telling().state),
    "nothing": lambda: findings("s1", State()),
} | {name: lambda text=text: hostile_report(text) for name, text in HOSTILE.items() if len(text) < 10_000}


@pytest.mark.parametrize("name", MADE)
def test_the_document_breaks_no_rule_of_the_standard(name: str) -> None:
    text = render_html(MADE[name]())
    html5lib.HTMLParser(strict=True).parse(text)
    assert len(text.encode()) < MOST_BYTES


def test_the_fragment_breaks_no_rule_inside_of_a_page() -> None:
    html5lib.HTMLParser(strict=True).parseFragment(render_html_fragment(MADE["an hour"]()), container="div")


def test_lists_of_terms_hold_terms_only_and_every_table_has_headers() -> None:
    document = html5lib.parse(render_html(MADE["an hour"]()), namespaceHTMLElements=False)
    for found in document.iter("dl"):
        assert {child.tag for child in found} <= {"dt", "dd", "div"}
        assert {part.tag for child in found.iter("div") for part in child} <= {"dt", "dd"}
    for table in document.iter("table"):
        assert all(cell.get("scope") for cell in table.iter("th"))
    ids = {element.get("id") for element in document.iter() if isinstance(element.tag, str)}
    for link in document.iter("a"):
        if str(link.get("href")).startswith("#"):
            assert str(link.get("href"))[1:] in ids
