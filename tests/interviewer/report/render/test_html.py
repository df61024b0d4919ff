from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.render.evidence_spans import pieces
from interviewer.report.render.html import render_html, render_html_fragment
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.text import visible
from knowledge.model import FlagKind, ReferenceFlag
from rubric.model import Verdict
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.sample_session import Telling, question, telling
from tests.locations import ROOT

VOID = {"meta", "br", "hr", "img", "link", "input"}
ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "article",
        "header",
        "section",
        "div",
        "dl",
        "dt",
        "dd",
    ),
    *("h1", "h2", "h3", "h4", "h5", "p", "a", "span", "bdi", "q", "b", "br", "mark", "code", "pre", "ol", "ul", "li"),
    *("table", "thead", "tbody", "tr", "th", "td", "details", "summary", "strong", "em", "figure", "figcaption", "ins"),
    *("svg", "desc", "g", "defs", "path", "rect", "use", "text", "clippath", "pattern"),
}


class Page(HTMLParser):
    """Reads a page and refuses what is not well formed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.answers: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"style", "title"}:
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def check(text: str, first_level: int) -> Page:
    page = Page(text)
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(set(ids)) == len(ids)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == first_level
    assert all(after <= before + 1 and after > first_level for before, after in pairwise(levels))
    for tag, attrs in page.tags:
        assert not any(name.startswith("on") or name in {"src", "style", "srcset"} for name in attrs)
        href = attrs.get("href")
        if href is not None and href.startswith("#"):
            assert href[1:] in ids
        elif href is not None:
            assert tag in {"a", "use"}
            assert href.startswith(("http://", "https://", "mailto:"))
    return page


def test_the_report_is_one_well_formed_self_contained_document() -> None:
    text = render_html(findings("s1", telling().state))
    page = check(text, 1)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert not re.search(r"url\((?!#report-)", text)
    assert "@import" not in text
    assert [tag for tag, _ in page.tags].count("h1") == 1


def test_the_fragment_leaves_the_first_heading_to_its_page_and_keeps_its_styles_to_itself() -> None:
    text = render_html_fragment(findings("s1", telling().state))
    check(text, 2)
    styles = re.sub(r"@media[^{]*\{", "", text[text.index("<style>") + 7 : text.index("</style>")])
    selectors = [rule.rpartition("}")[2] for rule in styles.split("{")[:-1]]
    assert len(selectors) > 50
    for selector in ",".join(selectors).split(","):
        assert selector.strip().startswith((".interview-report", ".dark .interview-report")), selector


def test_a_reader_finds_verdicts_in_words_evidence_in_place_and_the_correction() -> None:
    text = render_html(findings("s1", telling().state))
    said = " ".join(Page(text).text.split())
    for expected in (
        "Your score is 43 of 100 (a rough figure, since the judge was unsure of many points); strong on autograd",
        "Gap 1, distributed training",
        "takes the step and broadcasts the new weights.point 1 contradicted",
        "could probably put a hook on it somehow.point 4 unsure",
        "In fact: Each process averages its gradients with all others by an all-reduce.",
        "3 met you made this point after a follow-up",
        "Skipped the question.",
        "Not graded: The model server stopped answering.",
        "From the question bank: Autograd › Leaf tensors and .grad",
        "python app.py report s1 --format html",
    ):
        assert expected in said
    assert '<mark class="contradicted">Rank zero collects' in text
    assert "data loading: unaided –, in the end 62;" in text
    assert "<code>y.grad</code>" in text


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_what_is_wrong_with_a_reference_stands_below_it(render: Callable[[Findings], str]) -> None:
    flag = ReferenceFlag(kind=FlagKind.DEPRECATED, reason="The call is gone since torch 2.4.")
    tell = Telling()
    tell.ask(question("q", [("c", "It is so.", 1)], reference="An old answer.", flags=(flag,)))
    text = render(findings("s1", tell.state))
    assert text.index("An old answer.") < text.index("it costs you nothing") < text.index(flag.reason[:11])


PROOF = "x = 1 < 2\nprint(x)  # prints: True\nassert x"


@pytest.mark.parametrize(
    ("verdict", "shown"), [(Verdict.CONTRADICTED, True), (Verdict.PARTIAL, False), (Verdict.MET, False)]
)
@pytest.mark.parametrize("render", [render_html, render_html_fragment, render_markdown, render_json])
def test_the_proof_is_shown_to_whoever_said_the_opposite(
    render: Callable[[Findings], str], verdict: Verdict, shown: bool
) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("c", "One is less than two.", 1)], proofs=(PROOF,)))
    tell.grade(q, tell.answer(q, "One is more than two."), [(verdict, 0.1, "One is more")])
    text = unescape(render(findings("s1", tell.state))).replace("\\n", "\n")
    assert (PROOF in text) is shown
    if render is not render_json:
        assert ("See for yourself" in text) is shown


def test_without_a_proof_there_is_nothing_to_see() -> None:
    assert "See for yourself" not in render_html(findings("s1", telling().state))


def test_overlapping_evidence_keeps_the_answer_whole_and_names_each_point() -> None:
    tell = Telling()
    q = tell.ask(question("one", [("a", "First.", 1), ("b", "Second.", 1)]))
    a = tell.answer(q, "zero one two three four")
    tell.grade(q, a, [(Verdict.MET, 0.9, "one two three"), (Verdict.PARTIAL, 0.5, "two three four")])
    turn = findings("s1", tell.state).questions[0].transcript[1]
    shown, folded = pieces(turn)
    assert [(p.text, [m.number for m in p.under], [m.number for m in p.ends]) for p in shown] == [
        ("zero ", [], []),
        ("one ", [1], []),
        ("two three", [1, 2], [1]),
        (" four", [2], [2]),
    ]
    assert folded == ()


def test_a_long_answer_is_folded_and_complete() -> None:
    tell = Telling()
    q = tell.ask(question("one", [("a", "First.", 1)]))
    text = "".join(f"Sentence {n}. " for n in range(1000))
    a = tell.answer(q, text)
    tell.grade(q, a, [(Verdict.MET, 0.9, "Sentence 999.")])
    found = findings("s1", tell.state)
    shown, folded = pieces(found.questions[0].transcript[1])
    assert "".join(piece.text for piece in (*shown, *folded)) == text
    assert sum(len(piece.text) for piece in shown) < len(text)
    page = check(render_html(found), 1)
    assert "Sentence 500. Sentence 501. " in page.text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_shows_as_text(name: str) -> None:
    text = HOSTILE[name]
    found = hostile_report(text)
    for rendered, first in ((render_html(found), 1), (render_html_fragment(found), 2)):
        page = check(rendered, first)
        assert len(rendered) < 3_000_000
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", rendered)
        if len(text) < 1000:
            assert page.text.count(visible(text)) >= 5


@pytest.mark.parametrize(
    "state", [State(), Telling().state, Telling(Plan(topics=("<b>",))).state], ids=["none", "begun", "hostile plan"]
)
def test_an_empty_interview_says_so(state: State) -> None:
    page = check(render_html(findings("s1", state)), 1)
    assert "No question was asked, so there is nothing to report." in page.text
    check(render_html_fragment(findings("s1", state)), 2)


def test_nothing_graded_shows_dashes_and_says_why() -> None:
    tell = Telling()
    tell.answer(tell.ask(question("one", [("a", "First.", 1)])), "Something.")
    page = check(render_html(findings("s1", tell.state)), 1)
    assert "No answer has been graded in full, so there is no score." in page.text
    assert "No score: it had not been graded yet when this report was made." in page.text
    assert " 0 of 100" not in page.text


def _palette(name: str) -> dict[str, str]:
    folder = ROOT / "interviewer" / "report" / "render" / "templates"
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", (folder / name).read_text(encoding="utf-8")))


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", ["style.css", "dark.css"])
def test_text_has_enough_contrast(name: str) -> None:
    colors = _palette(name)
    texts = ["ink", "soft", "link", "met", "partial", "contradicted", "missing"]
    pairs = [(text, ground) for text in texts for ground in ("paper", "panel")]
    pairs += [("ink", mark) for mark in ("met-mark", "partial-mark", "contradicted-mark")]
    for text, ground in pairs:
        light, dark = sorted((_luminance(colors[text]), _luminance(colors[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)
