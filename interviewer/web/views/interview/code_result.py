"""What became of the person's code, as HTML. Pure."""

from __future__ import annotations

import difflib
import functools

from interviewer.report.phrases.code import code_summary, impossible
from interviewer.session.events import CodeRan
from interviewer.session.state import AskedQuestion
from interviewer.web.safe_html import text
from rubric.coding.result import ELSEWHERE, CodeResult, CodeStatus, CodeTest, told

_SIGNS = {CodeStatus.PASSED: "✓", CodeStatus.MISMATCH: "✕", CodeStatus.ERROR: "!", CodeStatus.TIMEOUT: "⏱"}
_OTHER_SIGN = "…"
_CONTEXT = 1
"""Lines around a change that are shown with it."""

_MOST_LINES = 1_000
"""Lines of a program whose changes are looked for: with many more that are alike, that would take minutes."""


def code_html(asked: AskedQuestion, not_executed: str = "") -> str:
    """The result of the last run of this question's code; an invitation where nothing was run yet.

    Args:
        asked: the question.
        not_executed: why code is not executed; empty where it is.

    """
    if not_executed:
        return (
            f'<p class="note trouble" role="status">{text(not_executed)}</p><p class="quiet">You can still '
            "write code and explain it; what you say is graded. “Submit” saves the code to your report, where it is "
            "not graded.</p>"
        )
    if not asked.runs:
        return (
            '<p class="quiet">“Run” tries your code on the examples. “Submit” also runs the hidden tests; you can '
            "submit as often as you like. Explain your code in the answer box.</p>"
        )
    run = asked.runs[-1]
    return (
        '<section class="run" role="status" aria-label="Result of the last run" tabindex="0">'
        f"{_head(run)}{_body(run.result)}{_diff_html(asked)}</section>"
    )


def _head(run: CodeRan) -> str:
    css = "passed" if run.result.status is CodeStatus.PASSED else "failed"
    # What Python says when a program does not start stands on lines of its own.
    first, _, rest = code_summary(run).partition("\n")
    return f'<p class="verdict-line {css}">{text(first)}</p>{_lines_html(rest) if rest.strip() else ""}'


def _lines_html(words: str) -> str:
    """Words whose line breaks and indentation mean something, such as a Python error's."""
    return f'<pre class="told">{text(words)}</pre>'


def _message_html(test: CodeTest) -> str:
    if not test.message:
        return ""
    told_at = f" (line {test.line})" if test.line else ""
    if "\n" in test.message.strip():
        return _lines_html(f"{test.message.strip()}{told_at}")
    return f"<p>{text(test.message)}{told_at}</p>"


def _diff_html(asked: AskedQuestion) -> str:
    """What the last attempt changed in the one before it, or in what the person started from."""
    *before, last = [asked.starting_code, *(run.source for run in asked.runs)]
    lines = _changed(before[-1], last)
    if not lines:
        return ""
    kinds = {"+": "added", "-": "gone"}
    rows = "".join(f'<span class="{kinds.get(line[0], "same")}">{text(line)}</span>' for line in lines)
    since = "your last attempt" if len(before) > 1 else "you started"
    return f'<details><summary>What you changed since {since}</summary><pre class="diff">{rows}</pre></details>'


# The page draws itself anew again and again while nothing is run.
@functools.lru_cache(maxsize=64)
def _changed(before: str, after: str) -> tuple[str, ...]:
    """The lines that differ, each behind its sign, with those around them; none of a program that is very long."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > _MOST_LINES:
        return ()
    changed = difflib.unified_diff(old, new, n=_CONTEXT, lineterm="")
    return tuple(line for line in list(changed)[2:] if not line.startswith("@@"))


def _body(result: CodeResult) -> str:
    # What is to be mended first: the box is low, and whoever passed nine of ten tests looks for the tenth.
    ordered = sorted(result.tests, key=lambda test: test.status is CodeStatus.PASSED)
    rows = "".join(_test_html(test) for test in ordered)
    rows += "".join(
        f'<li class="remark"><span class="verdict"><span aria-hidden="true">!</span> noticed</span>'
        f"<div><p>{text(told((remark,)))}</p></div></li>"
        for remark in result.remarks
    )
    timing = "".join(
        f'<p class="quiet">{text(timed.title)}: your time grows like n^{timed.exponent:.1f}, our solution’s like '
        f"n^{timed.our_exponent:.1f}.{text(impossible(timed))} This is advice only.</p>"
        for timed in result.timing
    )
    said = "".join(
        f"<details><summary>{name}</summary><pre>{text(words)}</pre></details>"
        for name, words in (("Printed", result.printed), ("Error output", result.errors))
        if words
    )
    walls = (
        f'<p class="quiet">Ran sandboxed with {text(result.isolation)}.</p>'
        if result.isolation.endswith(ELSEWHERE)
        else f'<p class="quiet">Ran on this machine, sandboxed with {text(result.isolation)}.</p>'
        if result.isolation
        else ""
    )
    return (f"<ul>{rows}</ul>" if rows else "") + timing + said + walls


def _test_html(test: CodeTest) -> str:
    sign = _SIGNS.get(test.status, _OTHER_SIGN)
    word = test.status.replace("_", " ")
    message = _message_html(test)
    cases = "".join(
        f"<dl><dt>Input</dt><dd><code>{text(case.put_in)}</code></dd><dt>Expected</dt><dd><code>{text(case.expected)}"
        f"</code></dd><dt>Got</dt><dd><code>{text(case.got)}</code></dd></dl>"
        for case in test.failing
    )
    setting = test.name.partition("[")[2].rstrip("]")
    return (
        f'<li class="{word.replace(" ", "-")}">'
        f'<span class="verdict"><span aria-hidden="true">{sign}</span> {word}</span>'
        f"<div><p>{text(test.title)}{f' ({text(setting)})' if setting else ''}</p>{message}{cases}</div></li>"
    )
