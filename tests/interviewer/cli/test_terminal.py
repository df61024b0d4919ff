"""The interview in a terminal: real key presses, a real screen in memory."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from interviewer.cli.keyboard import Keyboard
from interviewer.cli.terminal import TerminalInterview, verdict_text
from interviewer.dialogue import templates
from interviewer.engine.service import InterviewService
from interviewer.policy.silence import AFTER_S, SilenceStep
from interviewer.session.events import AnswerGiven, ConfidenceStated
from interviewer.session.plan import Mode, Plan
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest
from rubric.model import CriterionVerdict, Verdict
from serving.errors import ProtocolError
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [
    question("q1", text="What is `y.grad`? [bold]not markup[/bold] \x1b[31mred", spoken="What is the grad?"),
    question("q2", text="Why does momentum help?", topic="training"),
]
PLAN = Plan(question_ids=("q1", "q2"), follow_ups=1)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


def typed(*messages: str) -> Callable[[], str]:
    """A person who sends these and then leaves."""
    waiting = iter(messages)

    def read() -> str:
        message = next(waiting, None)
        if message is None:
            raise EOFError
        return message

    return read


def hold(
    journal: Journal,
    read: Callable[[], str],
    session: str | None = None,
    *,
    patience_s: float | None = None,
    grader: KeywordGrader | None = None,
    plan: Plan = PLAN,
) -> tuple[str, str]:
    """The interview's id and what stood on the screen."""
    screen = io.StringIO()
    console = Console(file=screen, width=120, force_terminal=False)
    with InterviewService(journal, Shelf(BANK), grader or KeywordGrader(), patience_s=patience_s) as service:
        session = TerminalInterview(service, console, read).hold(plan, session)
    return session, screen.getvalue()


@pytest.mark.parametrize("patience_s", [None, 30.0])
def test_a_whole_interview_shows_questions_marks_and_quotes(journal: Journal, patience_s: float | None) -> None:
    read = typed("it is alpha", "perhaps beta", "/hint", "/source", "/repeat", "/skip", "/skip")
    _, screen = hold(journal, read, patience_s=patience_s)
    assert "Question 1 of 2" in screen
    assert screen.count("bank.md, line 1") == 1
    assert "What about the thing after b?" in screen
    assert "“alpha”" in screen
    assert "“perhaps beta”" in screen
    assert "partly met" in screen
    assert screen.index("The answer names alpha.") > screen.index("What about the thing after b?")
    assert "That's all, then." in screen
    assert journal.sessions()[0].ended


def test_untrusted_text_neither_styles_nor_steers(journal: Journal) -> None:
    _, screen = hold(journal, typed("[red]alpha[/red] beta", "/end"))
    assert "[bold]not markup[/bold] [31mred" in screen
    assert "\x1b" not in screen


def test_a_bad_answer_or_command_is_explained_and_the_interview_goes_on(journal: Journal) -> None:
    _, screen = hold(journal, typed("", "/sing", "x" * 20_001, "/end"))
    assert "Say or type something, or skip the question." in screen
    assert "There is no command /sing." in screen
    assert "20,000" in screen
    assert "let's stop here" in screen


@pytest.mark.parametrize("leave", [EOFError, KeyboardInterrupt])
def test_leaving_keeps_everything_and_says_how_to_go_on(journal: Journal, leave: type[BaseException]) -> None:
    messages = iter(["alpha"])

    def read() -> str:
        for message in messages:
            return message
        raise leave

    session, screen = hold(journal, read)
    assert f"python app.py interview --resume {session}" in screen.replace("\n", " ")
    assert not journal.sessions()[0].ended
    resumed, again = hold(journal, typed("beta", "/end"), session)
    assert resumed == session
    assert "What about the thing after b?" in again
    assert "“beta”" in again


def test_talks_and_pauses_are_shown_and_an_exam_keeps_its_marks_to_the_end(journal: Journal) -> None:
    plan = PLAN.model_copy(update={"talks": True, "mode": Mode.EXAM, "follow_ups": 0})
    read = typed("/source", "I build things.", "alpha", "/pause", "beta", "/continue", "/hint", "/skip", "/skip")
    _, screen = hold(journal, read, plan=plan)
    assert "Nothing was asked yet." in screen
    assert screen.index("Question 1 of 2") > screen.index("Nothing was asked yet.")
    assert "Paused. Type /continue to resume." in screen
    assert "The interview is paused" in screen
    assert "there are no hints in it" in screen
    assert screen.index("“alpha”") > screen.index("ask me about")
    assert journal.sessions()[0].ended


def test_without_marks_it_says_so(journal: Journal) -> None:
    def fail(request: GradeRequest) -> None:
        raise ProtocolError("It spoke in tongues.")

    _, screen = hold(journal, typed("alpha", "beta", "/end"), grader=KeywordGrader(fail))
    assert "Not graded yet" in screen


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("one\rtwo\r\r", "one\ntwo\n"),
        ("/hint\r", "/hint"),
        ("one\rtwo\x1b\r", "one\ntwo"),
        ("\r", ""),
    ],
)
def test_an_empty_line_or_alt_enter_sends(keyboard: PipeInput, keys: str, message: str) -> None:
    keyboard.send_text(keys)
    assert Keyboard(PromptSession())() == message


def test_pasted_empty_lines_do_not_send(keyboard: PipeInput) -> None:
    keyboard.send_text("\x1b[200~def f():\n\n    return 1\x1b[201~\r\r")
    assert Keyboard()().strip() == "def f():\n\n    return 1"


def test_control_d_leaves(keyboard: PipeInput) -> None:
    keyboard.send_text("\x04")
    with pytest.raises(EOFError):
        Keyboard()()


def test_requests_in_words_are_carried_out_and_insisting_answers(journal: Journal) -> None:
    read = typed("could you repeat that?", "I don't know", "stop", "answer: alpha beta", "/end")
    _, screen = hold(journal, read)
    assert screen.count("What is the grad?") == 2
    assert "What about the thing after a?" in screen
    assert "slash end" in screen
    assert "“alpha”" in screen


def test_how_sure_one_is_is_said_before_the_answer_that_it_is_about(journal: Journal) -> None:
    read = typed("/sure", "/sure 5", "/sure 4", "could you repeat that", "it is alpha", "perhaps beta", "/end")
    session, screen = hold(journal, read)
    assert screen.count("1 guessing, 2 not very sure, 3 fairly sure, 4 sure") == 2
    assert "Noted for your next answer: sure." in screen
    stated = [event for event in journal.events(session) if isinstance(event, ConfidenceStated)]
    answers = [event for event in journal.events(session) if isinstance(event, AnswerGiven)]
    assert [(event.answer_id, event.level) for event in stated] == [(answers[0].id, "sure")]


def test_while_a_message_is_written_whoever_follows_is_told_of_it(keyboard: PipeInput) -> None:
    reader, told, seen = Keyboard(), threading.Event(), []

    def follow(draft: str, quiet_s: float) -> None:
        seen.append((draft, quiet_s))
        told.set()

    reader._session.default_buffer.reset(Document("It is"))
    with reader._followed(follow):
        assert told.wait(60)
    assert seen[0][0] == "It is"
    assert seen[0][1] >= 0


def test_a_long_silence_is_answered_above_the_message(journal: Journal) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=120, force_terminal=False)
    with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        interview = TerminalInterview(service, console, typed())
        session = interview.hold(PLAN)
        for quiet_s in (AFTER_S[SilenceStep.LONG] - 1, AFTER_S[SilenceStep.LONG], AFTER_S[SilenceStep.LONG] + 1):
            interview.tick(session, "It", quiet_s)
        assert sum(screen.getvalue().count(words) for words in templates.NO_HURRY) == 1
        interview.tick(session, "It", AFTER_S[SilenceStep.GONE])
        interview.tick(session, "It", AFTER_S[SilenceStep.GONE])
    assert screen.getvalue().count("Paused. Type /continue to resume.") == 1


def test_a_point_that_nobody_asked_for_is_called_as_in_the_report() -> None:
    verdict = CriterionVerdict(id="c", verdict=Verdict.MISSING, credit=0.2, sure=False)
    assert str(verdict_text(verdict, never_asked=True)) == "not asked"
    assert str(verdict_text(verdict, never_asked=False)) == "unsure"
