"""What became of the person's code, as HTML. Pure."""

from __future__ import annotations

from interviewer.report.phrases.code import code_summary, impossible
from interviewer.session.events import CodeRan
from interviewer.session.state import AskedQuestion
from interviewer.web.safe_html import text
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, told

_SIGNS = {CodeStatus.PASSED: "✓", CodeStatus.MISMATCH: "✕", CodeStatus.ERROR: "!", CodeStatus.TIMEOUT: "⏱"}
_OTHER_SIGN = "…"


def code_html(asked: AskedQuestion, not_executed: str = "") -> str:
    """The result of the last run of this question's code; an invitation where nothing was run yet.

    Args:
        asked: the question.
        not_executed: why code is not executed on this machine; empty where it is.

    """
    if not_executed:
        return (
            f'<p class="note trouble" role="status">{text(not_executed)}</p><p class="quiet">Write your code and talk '
            "about it all the same: what you say is judged. Submit hands the code in; it stands in the report without "
            "a mark.</p>"
        )
    if not asked.runs:
        return (
            '<p class="quiet">Run tries the examples. Submit tries the hidden tests as well, as often as you like; '
            "talk about your code in the answer box beside it.</p>"
        )
    run = asked.runs[-1]
    return f'<section class="run" aria-label="Result of the last run">{_head(run)}{_body(run.result)}</section>'


def _head(run: CodeRan) -> str:
    css = "passed" if run.result.status is CodeStatus.PASSED else "failed"
    return f'<p class="verdict-line {css}">{text(code_summary(run))}</p>'


def _body(result: CodeResult) -> str:
    rows = "".join(_test_html(test) for test in result.tests)
    rows += "".join(
        f'<li class="remark"><span class="verdict"><span aria-hidden="true">!</span> noticed</span>'
        f"<div><p>{text(told((remark,)))}</p></div></li>"
        for remark in result.remarks
    )
    timing = "".join(
        f'<p class="quiet">{text(timed.title)}: time grows like n^{timed.exponent:.1f}; with our solution like '
        f"n^{timed.our_exponent:.1f}.{text(impossible(timed))} Advice only.</p>"
        for timed in result.timing
    )
    said = "".join(
        f"<details><summary>{name}</summary><pre>{text(words)}</pre></details>"
        for name, words in (("Printed", result.printed), ("Error output", result.errors))
        if words
    )
    walls = (
        f'<p class="quiet">Executed on this machine, behind {text(result.isolation)}.</p>' if result.isolation else ""
    )
    return (f"<ul>{rows}</ul>" if rows else "") + timing + said + walls


def _test_html(test: CodeTest) -> str:
    sign = _SIGNS.get(test.status, _OTHER_SIGN)
    word = test.status.replace("_", " ")
    message = f"<p>{text(test.message)}{f' (line {test.line})' if test.line else ''}</p>" if test.message else ""
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
