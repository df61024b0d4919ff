"""Coding questions: what comes next after a run, a submission, words; and what the report makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.policy.actions import CloseQuestion, Listen
from interviewer.policy.code_follow_ups import next_code_follow_up
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.question import QuestionStatus, TurnKind
from interviewer.scoring.code_credit import code_credit
from interviewer.session.events import CodeRan, QuestionFinished
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Mode, Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from knowledge.model import Kind
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase, Remark, Timing
from rubric.coding.task import CodeTestKind, CodingTask, StarterForm
from rubric.model import Verdict
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.report.sample_session import Telling, question

TASK = CodingTask(
    starter="def unit(x):\n    return x\n",
    solution="def unit(x):\n    return x / x.norm()\n",
    tests="def example_one(t):\n    yield {}, unit(t)\n",
)
ASKED = question("unit", [("why", "It divides by the norm.", 1)], kind=Kind.CODING, task=TASK)
WITH_EDITOR = Plan(question_ids=("unit",), editor=True)
PASSED = CodeStatus.PASSED


def ran(name: str, status: CodeStatus = PASSED, kind: CodeTestKind = CodeTestKind.PROPERTY, **more: object) -> CodeTest:
    title = name.partition("[")[0].partition("_")[2].replace("_", " ")
    return CodeTest(name=name, kind=kind, title=title, status=status, **more)


def result(*tests: CodeTest, **more: object) -> CodeResult:
    bad = next((test.status for test in tests if test.status is not PASSED), PASSED)
    return CodeResult(**{"status": bad, "tests": tests, "isolation": "bubblewrap", **more})


ALL = result(ran("example_one"), ran("property_two"))
CASE = FailingCase(put_in="x = tensor([0])", expected="ValueError", got="nan")
HALF = result(ran("example_one"), ran("property_two", CodeStatus.MISMATCH, message="nan", failing=(CASE,)))


class Coding(Telling):
    """Tells an interview with one coding question."""

    def __init__(self, plan: Plan = WITH_EDITOR, task: CodingTask = TASK) -> None:
        super().__init__(plan)
        self.asked = self.ask(ASKED.model_copy(update={"task": task}))

    def run(self, outcome: CodeResult, source: str = TASK.solution, *, submitted: bool = True) -> None:
        name = f"run{len(self.events)}"
        self._add(CodeRan, name, asked_id=self.asked, source=source, submitted=submitted, result=outcome)

    def finish(self) -> None:
        self._add(QuestionFinished, "finished", asked_id=self.asked)

    def say(self, text: str = "It divides by the norm.", verdict: Verdict = Verdict.MET) -> None:
        evidence = text if verdict is not Verdict.MISSING else ""
        self.grade(self.asked, self.answer(self.asked, text), [(verdict, 0.9 if evidence else 0.1, evidence)])

    def follow(self) -> str:
        """Let the interviewer ask what comes next, and tell what about."""
        action = next_action(self.state)
        self.follow_up(self.asked, action.kind, action.criterion_id, "And?")
        return action.criterion_id


def doing(tell: Telling) -> str:
    return next_action(tell.state).do


def test_words_before_the_code_are_listened_to_and_not_drilled() -> None:
    tell = Coding()
    tell.say("No idea yet.", Verdict.MISSING)
    assert isinstance(next_action(tell.state), Listen)
    tell.run(ALL, submitted=False)
    assert isinstance(next_action(tell.state), Listen)


def test_without_an_editor_a_coding_question_is_one_of_words() -> None:
    tell = Coding(Plan(question_ids=("unit",)))
    tell.say()
    assert isinstance(next_action(tell.state), CloseQuestion)


def test_one_failing_test_is_asked_about_a_submission_and_two_at_most_and_the_question_stays_open() -> None:
    tell = Coding()
    three = result(*(ran(f"property_{n}", CodeStatus.MISMATCH) for n in ("a", "b", "c")))
    tell.run(three)
    assert tell.follow() == "run:test:property_a"
    assert isinstance(next_action(tell.state), Listen)
    tell.say("I see, the sign is wrong.", Verdict.MISSING)
    # The others may well fail over the same fault: it is mended first.
    assert isinstance(next_action(tell.state), Listen)
    tell.run(three)
    assert tell.follow() == "run:test:property_b"
    tell.run(three)
    assert tell.follow() == "run:again:3"
    point = next_code_follow_up(tell.state.asked[0])
    assert point is None
    tell.say("I give up.", Verdict.MISSING)
    assert isinstance(next_action(tell.state), Listen)
    tell.finish()
    assert isinstance(next_action(tell.state), CloseQuestion)


def test_code_that_passes_without_a_word_is_to_be_explained_and_then_the_rubric_is_drilled() -> None:
    tell = Coding()
    tell.run(ALL)
    assert tell.follow() == "run:explain"
    tell.say("No idea.", Verdict.MISSING)
    action = next_action(tell.state)
    assert (action.kind, action.criterion_id) == (FollowUpKind.MISSING, "why")
    tell.follow()
    tell.say()
    assert isinstance(next_action(tell.state), CloseQuestion)


def test_what_was_measured_is_asked_about() -> None:
    slow = Timing(title="length", sizes=(1, 2), seconds=(1, 4), ours=(1, 2), exponent=2.0, our_exponent=1.0)
    tell = Coding()
    tell.say()
    tell.run(ALL.model_copy(update={"timing": (slow,)}))
    point = next_code_follow_up(tell.state.asked[0])
    assert point is not None
    assert "about 4 times as long" in point.said


@pytest.mark.parametrize(
    ("source", "about"),
    [
        ("def unit(x):\n    return unit(x[1:])\n", "recursion"),
        ("class Unit:\n    def walk(self, x):\n        return self.walk(x[1:])\n", "recursion"),
        ("def unit(x):\n    for y in x:\n        y.item()\n", "synchronisation"),
        ("def unit(x):\n    return x.data\n", "data"),
        ("def unit(x):\n    try:\n        return x\n    except:\n        pass\n", "except"),
    ],
)
def test_a_reviewer_s_question_comes_from_the_code(source: str, about: str) -> None:
    tell = Coding()
    tell.say()
    tell.run(ALL, source)
    assert tell.follow() == f"run:passed:{about}"
    tell.say()
    assert isinstance(next_action(tell.state), CloseQuestion)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def unit(x):\n    return unit(x[1:])\n", "It recurses, so the recursion limit is where it breaks."),
        ("def unit(x):\n    for y in x:\n        y.item()\n", "I read it with item, where the host has to wait."),
        ("def unit(x):\n    return x.data\n", "I use data, which changes no version counter, so be careful."),
        ("def unit(x):\n    try:\n        return x\n    except:\n        pass\n", "It would swallow everything."),
    ],
)
def test_a_reviewer_does_not_ask_for_what_was_told_already(source: str, told: str) -> None:
    tell = Coding()
    tell.say(told)
    tell.run(ALL, source)
    assert isinstance(next_action(tell.state), CloseQuestion)


def test_a_reviewer_does_not_ask_about_what_our_own_solution_does_too() -> None:
    synced = "def unit(x):\n    for y in x:\n        y.item()\n"
    tell = Coding(task=TASK.model_copy(update={"solution": synced}))
    tell.say()
    tell.run(ALL, synced)
    assert isinstance(next_action(tell.state), CloseQuestion)


def test_what_a_class_calls_of_the_one_above_it_is_no_recursion() -> None:
    tell = Coding()
    tell.say()
    tell.run(ALL, "class Unit(Base):\n    def __init__(self):\n        super().__init__()\n")
    assert isinstance(next_action(tell.state), CloseQuestion)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (result(ran("property_two", CodeStatus.ERROR, line=3)), "stops with an error at line 3"),
        (result(ran("property_two", CodeStatus.TIMEOUT)), "finish in time"),
        (result(ran("property_two", CodeStatus.NO_RESULT)), "the process is gone"),
        (result(ran("gradient_two", CodeStatus.MISMATCH, CodeTestKind.GRADIENT)), "the gradients"),
        (result(ran("resource_two", CodeStatus.MISMATCH, CodeTestKind.RESOURCE)), "uses more"),
        (
            result(ran("property_two[float32]"), ran("property_two[bfloat16]", CodeStatus.MISMATCH)),
            "passes in single precision but not in bfloat sixteen",
        ),
        (CodeResult(status=CodeStatus.ERROR, message="SyntaxError", line=2), "stops at line 2"),
    ],
)
def test_each_way_to_fail_has_its_question(outcome: CodeResult, said: str) -> None:
    tell = Coding()
    tell.run(outcome)
    point = next_code_follow_up(tell.state.asked[0])
    assert point is not None
    assert said in point.said
    assert "nan" not in point.said


def test_nothing_is_asked_about_what_could_not_be_executed() -> None:
    tell = Coding()
    tell.run(CodeResult(status=CodeStatus.SANDBOX_UNAVAILABLE, message="no bubblewrap"))
    assert next_code_follow_up(tell.state.asked[0]) is None


@pytest.mark.parametrize(
    ("outcome", "credit"),
    [
        (ALL, 1.0),
        (HALF, 0.25),
        (CodeResult(status=CodeStatus.ERROR), 0.0),
        (CodeResult(status=CodeStatus.SANDBOX_UNAVAILABLE), None),
    ],
)
def test_what_a_submission_earns(outcome: CodeResult, credit: float | None) -> None:
    assert code_credit(outcome) == credit


def told() -> State:
    tell = Coding()
    tell.run(HALF, TASK.starter)
    tell.follow()
    tell.run(ALL)
    tell.follow()
    tell.say()
    tell.finish()
    tell.close(tell.asked)
    return tell.state


def test_the_report_tells_of_the_code() -> None:
    found = findings("s", told())
    (asked,) = found.questions
    assert asked.code is not None
    assert [attempt.status for attempt in asked.code.attempts] == ["mismatch", "passed"]
    assert asked.code.attempts[0].diff == ""
    assert "+    return x / x.norm()" in asked.code.attempts[1].diff
    assert asked.unaided == pytest.approx(0.5 * 0.25 + 0.5 * 0.9)
    assert asked.final == pytest.approx(0.5 * 1.0 + 0.5 * 0.9)
    assert [turn.kind for turn in asked.transcript].count(TurnKind.CODE) == 2
    for text in (render_html(found), render_markdown(found)):
        assert "passed all tests" in text
        assert "Attempt 2, submitted" in text
        assert "Our solution" in text


def test_failing_cases_stand_in_the_report_as_text() -> None:
    tell = Coding()
    nasty = FailingCase(put_in="<script>alert(1)</script>", expected="`x` **y**", got="</code>")
    tell.run(result(ran("property_two", CodeStatus.MISMATCH, message="<b>", failing=(nasty,))))
    html = render_html(findings("s", tell.state))
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html


def test_code_alone_is_a_score_too() -> None:
    tell = Coding()
    tell.run(ALL)
    tell.finish()
    (asked,) = findings("s", tell.state).questions
    assert (asked.final, asked.status) == (1.0, QuestionStatus.GRADED)


def test_events_in_any_order_fold_to_one_state() -> None:
    tell = Coding()
    tell.run(HALF)
    tell.run(ALL)
    assert fold(reversed(tell.events)) == fold(tell.events)


REMARKED = ALL.model_copy(
    update={"remarks": (Remark(line=3, what="uses `sorted`, which the question rules out"),)},
)


@pytest.mark.parametrize(
    ("mode", "outcome", "status"),
    [
        (Mode.PRACTICE, REMARKED, CodeStatus.PASSED),
        (Mode.EXAM, REMARKED, CodeStatus.FORBIDDEN),
        (Mode.EXAM, ALL, CodeStatus.PASSED),
    ],
)
def test_what_is_ruled_out_is_a_message_in_practice_and_no_pass_in_an_exam(
    mode: Mode, outcome: CodeResult, status: CodeStatus, tmp_path: Path
) -> None:
    class Fake:
        def prepare(self, task: CodingTask) -> None:
            del task

        def verify(self, task: CodingTask, source: str, *, only_examples: bool = False) -> CodeResult:
            return outcome

    with Journal(tmp_path / "j.db") as journal:
        service = InterviewService(journal, Shelf([ASKED]), KeywordGrader(), patience_s=1.0, verifier=Fake())
        session = service.start(WITH_EDITOR.model_copy(update={"mode": mode}))
        state = service.run_code(session, "x", "r1", submit=True)
        service.close()
    (run,) = state.asked[0].runs
    assert run.result.status is status
    assert run.result.remarks == outcome.remarks
    assert (code_credit(run.result) == 1.0) == (status is PASSED)
    tell = Coding()
    tell.run(run.result)
    tell.finish()
    found = findings("s", tell.state)
    for told in (render_html(found), render_markdown(found)):
        assert ("which the question rules out" in told) == bool(outcome.remarks)
        assert ("does not count as passed" in told) == (status is not PASSED)


def test_a_submission_that_tampers_is_asked_about_and_earns_nothing() -> None:
    tampered = CodeResult(status=CodeStatus.TAMPERED, message="trial.Trial.peak was replaced.", line=4)
    assert code_credit(tampered) == 0.0
    tell = Coding()
    tell.run(tampered)
    assert tell.follow() == "run:test:tampered"
    assert next_code_follow_up(tell.state.asked[0]) is None
    tell.finish()
    assert "tampered with its tests" in render_markdown(findings("s", tell.state))


def test_what_is_ruled_out_is_asked_about_first() -> None:
    tell = Coding()
    tell.run(result(ran("example_one", CodeStatus.FORBIDDEN, message="It calls `sorted`."), ran("property_two")))
    point = next_code_follow_up(tell.state.asked[0])
    assert point is not None
    assert "the question rules out" in point.said
    assert tell.follow() == "run:test:forbidden"
    assert next_code_follow_up(tell.state.asked[0]) is None


def test_a_repeated_request_runs_nothing_again(tmp_path: object) -> None:
    sources: list[str] = []

    class Fake:
        def prepare(self, task: CodingTask) -> None:
            del task

        def verify(self, task: CodingTask, source: str, *, only_examples: bool = False) -> CodeResult:
            sources.append(source)
            return ALL

    with Journal(Path(str(tmp_path)) / "j.db") as journal:
        service = InterviewService(journal, Shelf([ASKED]), KeywordGrader(), patience_s=1.0, verifier=Fake())
        session = service.start(WITH_EDITOR)
        for _ in range(2):
            state = service.run_code(session, "x", "r1", submit=True)
        assert sources == ["x"]
        assert len(state.asked[0].runs) == 1
        without = InterviewService(journal, Shelf([ASKED]), KeywordGrader(), patience_s=1.0)
        with without, pytest.raises(BadInputError, match="no code to run"):
            without.run_code(session, "x", "r2", submit=True)
        service.close()


BLANK = 'def unit(x):\n    """x at length 1."""\n'


@pytest.mark.parametrize(
    ("wanted", "blank", "form", "start"),
    [
        (StarterForm.BLANK, BLANK, StarterForm.BLANK, BLANK),
        (StarterForm.REPAIR, BLANK, StarterForm.REPAIR, TASK.starter),
        (StarterForm.BLANK, "", StarterForm.REPAIR, TASK.starter),
    ],
)
def test_a_question_starts_from_the_form_that_was_chosen_where_it_has_it(
    wanted: StarterForm, blank: str, form: StarterForm, start: str
) -> None:
    tell = Telling(Plan(question_ids=("unit",), editor=True, starter=wanted))
    tell.ask(ASKED.model_copy(update={"task": TASK.model_copy(update={"blank": blank})}))
    assert tell.state.asked[0].starter is form
    assert tell.state.asked[0].starting_code == start


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (StarterForm.BLANK, "You wrote it from scratch."),
        (StarterForm.REPAIR, "You started from the program that was given."),
    ],
)
def test_the_report_says_what_the_code_was_started_from(wanted: StarterForm, said: str) -> None:
    tell = Telling(Plan(question_ids=("unit",), editor=True, starter=wanted))
    asked = tell.ask(ASKED.model_copy(update={"task": TASK.model_copy(update={"blank": BLANK})}))
    tell._add(CodeRan, "run", asked_id=asked, source=TASK.solution, submitted=True, result=ALL)
    report = findings("s1", tell.state)
    code = report.questions[0].code
    assert code is not None
    assert code.starter is wanted
    assert (BLANK.splitlines()[1].strip() in code.attempts[0].diff) is (wanted is StarterForm.BLANK)
    assert said in render_markdown(report)
    assert said in render_html(report)


def test_a_question_with_one_form_says_nothing_of_it() -> None:
    tell = Coding()
    tell.run(ALL)
    code = findings("s1", tell.state).questions[0].code
    assert code is not None
    assert code.starter is None
