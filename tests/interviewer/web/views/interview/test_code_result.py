from __future__ import annotations

from datetime import UTC, datetime

from interviewer.session.plan import Plan
from interviewer.web.views.interview.code_result import code_html
from knowledge.bank.parser import load_bank
from rubric.coding.result import CodeResult, CodeStatus, CodeTest
from rubric.coding.task import CodeTestKind
from tests.interviewer.report.hour import Hour

ERROR = "ValueError: shapes do not match:\n  logits  [2, 3]\n  targets <b>[2]</b>"


def shown(*sources: str, result: CodeResult) -> str:
    tell = Hour(Plan(editor=True), datetime(2026, 3, 2, 9, 30, tzinfo=UTC))
    asked = tell.ask(next(question for question in load_bank() if question.id == "training-focal-loss"))
    for source in sources:
        tell.ran(asked, source, result, submitted=True)
    return code_html(tell.state.asked[0])


def failing(message: str) -> CodeResult:
    test = CodeTest(
        name="far", kind=CodeTestKind.EXAMPLE, title="far", status=CodeStatus.ERROR, message=message, line=3
    )
    return CodeResult(status=CodeStatus.ERROR, tests=(test,))


def test_an_error_of_python_keeps_its_lines() -> None:
    for result in (failing(ERROR), CodeResult(status=CodeStatus.ERROR, message=ERROR, line=3)):
        html = shown("x = 1", result=result)
        assert "  logits  [2, 3]\n  targets &lt;b&gt;[2]&lt;/b&gt; (line 3)</pre>" in html


def test_a_message_of_one_line_is_a_sentence() -> None:
    assert "<p>It is infinite. (line 3)</p>" in shown("x = 1", result=failing("It is infinite."))


def test_the_test_that_failed_stands_first() -> None:
    (wrong,) = failing("It is infinite.").tests
    right = wrong.model_copy(update={"title": "near", "status": CodeStatus.PASSED, "message": ""})
    html = shown("x = 1", result=CodeResult(status=CodeStatus.ERROR, tests=(right, wrong, right)))
    assert html.index("<p>far</p>") < html.index("<p>near</p>")


def test_what_an_attempt_changed_in_the_one_before_it_is_told() -> None:
    html = shown("x = 1\ny = 2", "x = 1\ny = '<b>'", result=failing("It is infinite."))
    assert "What you changed since your last attempt" in html
    assert '<span class="gone">-y = 2</span><span class="added">+y = &#x27;&lt;b&gt;&#x27;</span>' in html
    assert '<span class="same"> x = 1</span>' in html


def test_the_first_attempt_is_compared_with_the_start_and_the_same_code_again_with_nothing() -> None:
    assert "What you changed since you started" in shown("x = 1", result=failing("It is infinite."))
    assert "What you changed" not in shown("x = 1", "x = 1", result=failing("It is infinite."))


def test_the_changes_of_a_very_long_program_are_not_looked_for() -> None:
    long = "\n".join(f"x = {number % 90}" for number in range(1_001))
    assert "What you changed" not in shown("x = 1", long, result=failing("It is infinite."))
    assert "What you changed" in shown("x = 1", long[:900], result=failing("It is infinite."))
