"""Whoever asks whether their program passes is told what its last run showed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interviewer.dialogue import code_status
from interviewer.session.events import CodeRan
from interviewer.session.state import AskedQuestion
from knowledge.bank.parser import load_bank
from rubric.coding.result import CodeResult, CodeStatus, CodeTest
from rubric.coding.task import CodeTestKind

TASK = next(question for question in load_bank() if question.task is not None)


def asked(*submitted: CodeResult) -> AskedQuestion:
    runs = tuple(
        CodeRan(id=f"r{n}", at=datetime.now(UTC), asked_id="q", source="pass", submitted=True, result=result)
        for n, result in enumerate(submitted)
    )
    return AskedQuestion(asked_id="q", number=1, question=TASK, runs=runs)


def result(status: CodeStatus, **tests: CodeStatus) -> CodeResult:
    read = tuple(
        CodeTest(name=title, kind=CodeTestKind.EXAMPLE, title=title.replace("_", " "), status=how)
        for title, how in tests.items()
    )
    return CodeResult(status=status, tests=read)


@pytest.mark.parametrize(
    "words",
    ["Does it pass all the tests now?", "Is it right now?", "Which test still fails?", "What's still failing?"],
)
def test_the_last_run_is_told(words: str) -> None:
    passed, failed = CodeStatus.PASSED, CodeStatus.MISMATCH
    failing = result(failed, two_rows=passed, an_empty_row=failed)
    assert code_status.answer(asked(), words) == code_status.NOT_RUN
    assert code_status.answer(asked(failing), words) == "Not yet. Still failing: an empty row."
    assert code_status.answer(asked(failing, result(passed, two_rows=passed)), words) == code_status.PASSES
    assert code_status.answer(asked(result(CodeStatus.ERROR)), words) == code_status.NO_START


@pytest.mark.parametrize("words", ["May I reorder the rows?", "It goes row by row.", "Should I test it?"])
def test_other_words_are_left_to_others(words: str) -> None:
    assert code_status.answer(asked(), words) == ""
