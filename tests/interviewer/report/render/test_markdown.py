from __future__ import annotations

from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import common, overview, result, study
from interviewer.report.render.markdown import block, inline, prose, render_markdown
from interviewer.session.state import State
from interviewer.text import visible
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.sample_session import telling

READER = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")


def test_the_report_says_what_the_findings_say() -> None:
    text = render_markdown(findings("s1", telling().state))
    for expected in (
        "not ready yet on distributed training.**",
        "1. **Each process averages its gradients with all others by an all-reduce.** You said: “Rank zero",
        "1. **Gap 1, distributed training** Study March 2, review March 3 (question 2).",
        "It helped: point 3 improved.",
        "| autograd | 1 | 1 | 66 | 88 | – |",
        "3. **met: you made this point after a follow-up**: Calling retain\\_grad on an intermediate tensor",
        "Not graded: The model server stopped answering.",
        "Skipped the question.",
    ):
        assert expected in text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_neither_markdown_nor_html(name: str) -> None:
    text = HOSTILE[name]
    tokens = READER.parse(render_markdown(hostile_report(text)))
    inside = [child for token in tokens for child in token.children or ()]
    forbidden = {"html_block", "html_inline", "image", "link_open", "code_inline", "em_open", "s_open"}
    assert not forbidden & {token.type for token in (*tokens, *inside)}
    first = [after.content for before, after in pairwise(tokens) if before.tag in {"h1", "h2"}]
    own = {result.TITLE, result.STRENGTHS, "What to fix first", overview.QUESTIONS, study.STUDY, common.APPENDIX}
    assert set(filter(None, first)) == own
    fences = [token.content for token in tokens if token.type == "fence"]
    assert fences.count(visible(text) + "\n") >= 4


@pytest.mark.parametrize(
    "text", ["1. a", "- a", "+ a", "# a", "> a", "*a* _b_ `c`", "a | b", "<b>", "[a](b)", "=", "~~~"]
)
def test_inline_text_reads_back_as_itself(text: str) -> None:
    tokens = READER.parse(inline(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children or ()} <= {"text", "text_special"}
    assert "".join(child.content for child in tokens[1].children or ()) == text


@pytest.mark.parametrize("text", ["", "```", "````\n```\n", "a\n\n    b", "~~~\n<b>"])
def test_a_block_reads_back_as_itself(text: str) -> None:
    (token,) = READER.parse(block(text))
    assert (token.type, token.content) == ("fence", text + "\n")


def test_inline_code_of_the_bank_is_code_and_its_spaces_stay() -> None:
    assert prose("Call `x.grad` or `a|b`, not *y*.") == "Call `x.grad` or `a|b`, not \\*y\\*."
    (token,) = READER.parse(prose("the `__init__` of <b>"))[1:2]
    assert [child.type for child in token.children or ()][1] == "code_inline"


def test_an_empty_interview_says_so() -> None:
    assert "nothing to report" in render_markdown(findings("s1", State()))
