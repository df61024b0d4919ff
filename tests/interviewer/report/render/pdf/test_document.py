"""The PDF, read back by another program: what stands in it, on which page, and that nothing breaks it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pypdfium2
import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.redaction import for_interviewer
from interviewer.report.phrases import common, overview, provenance, result, study
from interviewer.report.render.fonts import BOX, printable
from interviewer.report.render.pdf.document import render_pdf, render_summary
from interviewer.report.schema.findings import Findings
from interviewer.session.state import State
from rubric.model import Verdict
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.hour import hour
from tests.interviewer.report.sample_session import LOADER, Telling, telling

FOOTER, HALF = 45.0, 421.0
"""Points from the bottom of a page: of the footer's upper edge, and of the page's middle."""
LONG = {"long", "one word"}


class Paper:
    """A PDF's text by page, without its line breaks, and its bookmarks."""

    def __init__(self, content: bytes) -> None:
        document = pypdfium2.PdfDocument(content)
        try:
            pages = []
            for page in document:
                text = page.get_textpage()
                pages.append(" ".join(text.get_text_range().split()))
                text.close()
                page.close()
            self.pages = pages
            self.bookmarks = [(mark.level, mark.get_title()) for mark in document.get_toc()]
        finally:
            document.close()

    @property
    def text(self) -> str:
        return " ".join(self.pages)


def answered(text: str) -> Findings:
    """A report with this answer."""
    tell = Telling()
    q = tell.ask(LOADER)
    tell.grade(q, tell.answer(q, text), [(Verdict.MET, 0.9, text), (Verdict.MISSING, 0.1, "")])
    return findings("s1", tell.state)


def test_a_reader_finds_the_result_the_evidence_and_the_solution() -> None:
    found = findings("s1", hour().state)
    paper = Paper(render_pdf(found))
    assert found.standing is not None
    for expected in (
        result.result(found.standing),
        "[1 met]",
        "It helped: point 5 improved.",
        "Our solution",
        "got: tensor([[nan, nan, nan]])",
    ):
        assert expected in paper.text, expected
    assert "What to fix first" in paper.pages[0]
    assert "app.py" not in paper.text
    assert not re.search(r"\.md, line \d", paper.text)
    assert all(f"page {number} of {len(paper.pages)}" in page for number, page in enumerate(paper.pages, 1))
    names = [title for _, title in paper.bookmarks]
    assert names[0] == "Interview report"
    assert {overview.QUESTIONS, study.STUDY, common.APPENDIX, provenance.HOW_MADE} <= set(names)
    questions = [title for level, title in paper.bookmarks if level == 1]
    numbers = [title.partition(".")[0] for title in questions]
    assert numbers[:14] == ["Warm-up", *(str(number) for number in range(1, 13)), "Your questions"]


def test_pages_are_filled_and_none_ends_in_a_heading() -> None:
    document = pypdfium2.PdfDocument(render_pdf(findings("s1", hour().state)))
    try:
        lowest, lasts = [], []
        for page in document:
            text = page.get_textpage()
            boxes = [text.get_rect(at) for at in range(text.count_rects())]
            above = [box for box in boxes if box[1] > FOOTER]
            lowest.append(min(box[1] for box in above))
            lasts.append(text.get_text_bounded(*min(above, key=lambda box: box[1])).strip())
    finally:
        document.close()
    assert all(bottom < HALF for bottom in lowest[:-1])
    headings = {
        "What was said",
        "Point by point",
        "Reference answer",
        "Why it matters at work",
        "In fact",
    }
    assert not headings & set(lasts)


def test_the_same_findings_give_the_same_bytes() -> None:
    found = findings("s1", telling().state)
    assert render_pdf(found) == render_pdf(found)


@pytest.mark.parametrize("name", sorted(set(HOSTILE) - LONG))
def test_hostile_text_shows_as_text(name: str) -> None:
    text = HOSTILE[name]
    paper = Paper(render_pdf(hostile_report(text)))
    plain = re.sub(r"\W+", " ", printable(text)).strip()
    if name in {"script", "closing", "template", "entities"}:
        assert re.sub(r"\W+", " ", paper.text).count(plain) >= 5
    assert "How this report was made" in paper.text


@pytest.mark.parametrize("text", [HOSTILE["long"], HOSTILE["one word"], "x\n" * 5_000, "a\tb " * 300])
def test_a_very_long_answer_runs_over_the_pages_and_is_whole(text: str) -> None:
    paper = Paper(render_pdf(answered(text.strip())))
    letter = text[0]
    word = "word" if "word" in text else letter
    assert paper.text.count(word) >= text.count(word)


def test_an_interview_on_fifty_topics_has_pictures_that_fit_a_page() -> None:
    tell = Telling()
    for number in range(50):
        asked = tell.ask(
            LOADER.model_copy(update={"id": f"q{number}", "topic": f"A topic of its own, number {number}"})
        )
        marks = [(Verdict.MISSING, 0.1, "")] * 2
        tell.grade(asked, tell.answer(asked, "I do not know."), marks)
        tell.close(asked)
    tell.end()
    assert "number 49" in Paper(render_pdf(findings("s1", tell.state))).text


def test_a_very_long_line_of_code_is_wrapped() -> None:
    tell = Telling()
    q = tell.ask(LOADER.model_copy(update={"reference": f"```python\n{'y = 1 + ' * 400}\n```"}))
    tell.skip(q)
    paper = Paper(render_pdf(findings("s1", tell.state)))
    assert paper.text.count("y") >= 400
    assert "↪" in paper.text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ωμέγα Привет ≤ → ✓", "Ωμέγα Привет ≤ → ✓"),
        ("a 👩🏽‍💻 b", f"a {BOX}{BOX}{BOX} b"),
        ("e\u0301", "é"),
        ("\u202ex", "x"),
    ],
)
def test_what_the_fonts_lack_is_a_box(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert " ".join(shown.split()) in Paper(render_pdf(answered(text))).text.replace("\r", "")


def test_an_interviewer_gets_no_coaching_and_the_person_a_plan() -> None:
    found = findings("s1", telling().state)
    mine, theirs = Paper(render_pdf(found)), Paper(render_pdf(for_interviewer(found)))
    coaching = ("What to fix first", "Reference answer", study.STUDY)
    assert all(said in mine.text for said in coaching)
    assert not any(said in theirs.text for said in coaching)
    assert "A hint was given." in theirs.text


def empty() -> Findings:
    return findings("s1", State())


def nothing_graded() -> Findings:
    tell = Telling()
    tell.answer(tell.ask(LOADER), "Something.")
    return findings("s1", tell.state)


@pytest.mark.parametrize(
    ("made", "said"), [(empty, "there is nothing to report"), (nothing_graded, "so there is no score")]
)
def test_where_there_is_nothing_it_says_so(made: Callable[[], Findings], said: str) -> None:
    assert said in Paper(render_pdf(made())).text


def test_the_summary_is_one_page_without_the_plan() -> None:
    paper = Paper(render_summary(findings("s1", hour().state)))
    assert len(paper.pages) == 1
    assert "What to fix first" in paper.text
    assert study.STUDY not in paper.text
