from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.session.code_proof import PROVEN
from interviewer.session.plan import Plan
from interviewer.web.view_state import render
from knowledge.bank.parser import load_bank
from knowledge.bank.proven_criteria import _proven, proven_criteria
from knowledge.model import Question
from rubric.coding.result import CodeResult, CodeStatus, CodeTest
from rubric.coding.task import CodeTestKind
from rubric.model import Verdict
from tests.interviewer.report.hour import Hour

CLIP = "training-implement-clipping"
MISSING, MET, CONTRADICTED = Verdict.MISSING, Verdict.MET, Verdict.CONTRADICTED
SAID = "I cut each by itself. I never make them longer."


def bank() -> dict[str, Question]:
    return {question.id: question for question in load_bank()}


def outcome(status: CodeStatus) -> CodeResult:
    test = CodeTest(name="example", kind=CodeTestKind.EXAMPLE, title="one batch", status=status)
    return CodeResult(status=status, tests=(test,), isolation="bubblewrap")


def told(status: CodeStatus, *, submitted: bool = True, said_first: bool = False, sure: bool = True) -> Hour:
    """The first of five points is contradicted, the second met, nothing is said of the others."""
    tell = Hour(Plan(editor=True, question_ids=(CLIP,)), datetime(2026, 3, 2, 9, 30, tzinfo=UTC))
    asked = tell.ask(bank()[CLIP])
    marks = [
        (CONTRADICTED, 0.1, "I cut each by itself."),
        (MET, 0.9, "I never make them longer"),
        *[(MISSING, 0.05, "")] * 3,
    ]

    def answer() -> None:
        tell.grade(asked, tell.answer(asked, SAID), marks, unsure=() if sure else ["c1"])

    if said_first:
        answer()
    tell.ran(asked, "pass", outcome(status), submitted=submitted)
    if not said_first:
        answer()
    return tell


@pytest.mark.parametrize("said_first", [False, True])
def test_what_the_tests_prove_is_met_and_says_why(said_first: bool) -> None:
    state = told(CodeStatus.PASSED, said_first=said_first).state
    grade = state.asked[0].grades[-1].grade
    assert [verdict.verdict for verdict in grade.criteria] == [CONTRADICTED, MET, MET, MET, MET]
    assert [verdict.reason == PROVEN for verdict in grade.criteria] == [False, False, True, True, True]
    assert grade.verdict("c2").evidence
    assert grade.score is not None
    assert grade.score > 0.6
    shown = render(state).transcript_html
    assert PROVEN in shown
    assert "missing" not in shown


def test_a_contradiction_that_is_not_sure_gives_way_to_the_code() -> None:
    grade = told(CodeStatus.PASSED, sure=False).state.asked[0].grades[-1].grade
    assert {verdict.verdict for verdict in grade.criteria} == {MET}


@pytest.mark.parametrize(("status", "submitted"), [(CodeStatus.MISMATCH, True), (CodeStatus.PASSED, False)])
def test_code_that_does_not_pass_or_is_not_submitted_proves_nothing(status: CodeStatus, submitted: bool) -> None:
    state = told(status, submitted=submitted).state
    assert [verdict.verdict for verdict in state.asked[0].grades[-1].grade.criteria][2:] == [MISSING] * 3


def test_the_report_does_not_call_missing_what_the_tests_prove() -> None:
    tell = told(CodeStatus.PASSED)
    tell.close("q1")
    tell.end()
    (question,) = findings("told", tell.state, (), ()).questions
    assert [point.verdict for point in question.criteria] == [CONTRADICTED, MET, MET, MET, MET]


def test_only_our_own_coding_questions_prove_anything() -> None:
    question = bank()[CLIP]
    assert question.rubric is not None
    assert proven_criteria(question)
    given = question.rubric.model_copy(update={"origin": "given"})
    assert proven_criteria(question.model_copy(update={"rubric": given})) == frozenset()
    assert proven_criteria(question.model_copy(update={"task": None})) == frozenset()


def test_every_criterion_that_is_listed_exists() -> None:
    questions = bank()
    for question_id, ids in _proven().items():
        rubric = questions[question_id].rubric
        assert questions[question_id].task is not None
        assert rubric is not None
        assert ids <= {criterion.id for criterion in rubric.criteria}, question_id
