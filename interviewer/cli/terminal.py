"""The interview in a terminal. What others wrote (answers, documents, models) is printed as plain text only."""

from __future__ import annotations

import time
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from interviewer.cli.container import (
    PATIENCE_S,
    Container,
    claim_reader,
    passages,
    request_head,
    warm_embedder,
)
from interviewer.cli.keyboard import Keyboard
from interviewer.dialogue import utterances
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import AskFollowUp, GradeAnswer
from interviewer.policy.next_action import next_action
from interviewer.policy.question_returns import answer_kept_back
from interviewer.report.phrases.calibration import NAMES
from interviewer.report.phrases.common import as_written, dtypes_written, mark_word
from interviewer.scoring.stated_confidence import STATED
from interviewer.scoring.unasked_points import unasked
from interviewer.session.events import (
    Event,
    InterviewerReplied,
    InterviewPaused,
    PersonSpoke,
    QuestionAsked,
    QuestionReturned,
    ReturnWished,
    Said,
    SegmentOpened,
)
from interviewer.session.journal import EventJournal
from interviewer.session.plan import Confidence, Mode, Plan, SegmentKind
from interviewer.session.queries import shown_length, ungraded_on
from interviewer.session.state import AskedQuestion, State
from knowledge.index.question_index import QuestionIndex
from rubric.model import CriterionVerdict, Verdict
from serving.errors import BadInputError
from serving.warmup import Warmup

_HELP = (
    "Type your answer; an empty line sends it (so does Alt+Enter). "
    "/hint, /repeat, /skip, /pause, /continue, and /end do what they say; /source says where the question is from; "
    "/back goes back to the question you left last, as soon as this one is done; "
    "/sure 1 to /sure 4, before an answer, notes how sure of it you are (1 a guess, 4 sure); "
    "Ctrl+D leaves, and you can resume later. Requests in your own words are understood too; "
    "start with “answer:” if your answer sounds like one."
)
_STYLES = {
    Verdict.MET: "green",
    Verdict.PARTIAL: "yellow",
    Verdict.MISSING: "red",
    Verdict.CONTRADICTED: "bold red",
    Verdict.UNSCORED: "dim",
}
_POLL_S = 0.1


class TerminalInterview:
    """Holds one interview in a terminal.

    Args:
        service: holds the interview.
        console: where it is shown.
        read: gives one message of the person; raises ``EOFError`` or ``KeyboardInterrupt`` when they leave. A
            ``Keyboard`` is followed while they write.
        resume_command: the command that goes on with an interview, ``{}`` standing for its id.

    """

    def __init__(
        self,
        service: InterviewService,
        console: Console,
        read: Callable[[], str],
        *,
        resume_command: str = "python app.py interview --resume {}",
    ) -> None:
        self._service = service
        self._console = console
        self._read = read
        self._resume_command = resume_command
        self._shown: set[str] = set()
        self._sure: Confidence | None = None

    def hold(self, plan: Plan, session_id: str | None = None) -> str:
        """Begin an interview, or go on with the one of that id, until it ends or the person leaves.

        Returns:
            The interview's id.

        Raises:
            BadInputError: no question fits the plan.
            StorageError: the disk refused.

        """
        session_id = self._service.start(plan, session_id)
        if isinstance(self._read, Keyboard):
            self._read.on_tick = partial(self.tick, session_id)
        self._console.print(Text(_HELP, style="dim"))
        try:
            state = self._until_listening(session_id)
            while state.ended is None:
                state = self._turn(session_id, self._read().strip())
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            self._console.print(
                Text("Everything you sent is kept. To resume: ")
                + Text(self._resume_command.format(session_id), style="bold")
            )
            return session_id
        self._console.print(Text(utterances.closing(state.ended), style="bold"))
        return session_id

    def tick(self, session_id: str, draft: str, quiet_s: float) -> None:
        """Lets happen what does not wait for a message: time is called, silences are answered, somebody is cut short.

        Args:
            session_id: the interview's.
            draft: what the person has typed of their next message.
            quiet_s: seconds since they last touched a key, or were last spoken to.

        Raises:
            StorageError: the disk refused.

        """
        self._service.call_time(session_id)
        said = "" if draft.startswith("/") else draft
        state = self._service.drafts.heard(session_id, said) or self._service.silences.quiet(session_id, quiet_s)
        self._show_new(state)

    def _turn(self, session_id: str, message: str) -> State:
        try:
            self._carry_out(session_id, message, uuid.uuid4().hex)
        except BadInputError as error:
            self._console.print(_plain(str(error), "yellow"))
        return self._until_listening(session_id)

    def _carry_out(self, session_id: str, message: str, request_id: str) -> None:
        commands = {
            "/hint": self._service.hint,
            "/repeat": self._service.repeat,
            "/skip": self._service.skip,
            "/back": self._service.go_back,
            "/pause": self._service.pause,
            "/continue": self._service.go_on,
            "/end": self._service.end,
        }
        if message == "/source":
            latest = self._service.state(session_id).latest
            place = latest.question.source.place if latest else "Nothing was asked yet."
            self._console.print(_plain(place, "dim"))
        elif message in commands:
            commands[message](session_id, request_id)
        elif message.split()[:1] == ["/sure"]:
            self._sure = _level(message.removeprefix("/sure"))
            self._console.print(_plain(f"Noted for your next answer: {NAMES[self._sure]}.", "dim"))
        elif message.startswith("/") and len(message.split()) == 1:
            raise BadInputError(f"There is no command {message}.", hint=_HELP)
        else:
            state = self._service.answer(session_id, message, request_id, sure=self._sure)
            if any(answer.id == request_id for asked in state.asked for answer in asked.answers):
                self._sure = None
            said = utterances.acknowledge(state).get(request_id)
            if said:
                self._console.print(_plain(said, "cyan"))

    def _until_listening(self, session_id: str) -> State:
        """Let the interview go on until it is the person's turn, and show what is new."""
        with self._console.status("Reading your answer …"):
            state = self._service.advance(session_id)
            while isinstance(next_action(state), GradeAnswer | AskFollowUp):
                time.sleep(_POLL_S)
                state = self._service.advance(session_id)
        self._show_new(state)
        return state

    def _show_new(self, state: State) -> None:
        said = [turn for segment in state.segments for turn in segment.turns if not isinstance(turn, PersonSpoke)]
        opened = [turn for turn in said if turn.part is SegmentKind.WARM_UP]
        self._show_segment(opened)
        for asked in state.asked:
            self._show(asked, state)
        self._show_segment([turn for turn in said if turn not in opened])
        pause = next((event.id for event in reversed(state.others) if isinstance(event, InterviewPaused)), "")
        if state.paused and pause not in self._shown:
            self._shown.add(pause)
            self._console.print(Text("Paused. Type /continue to resume.", style="dim"))

    def _show_segment(self, turns: Iterable[SegmentOpened | InterviewerReplied | ReturnWished]) -> None:
        for turn in turns:
            if turn.id not in self._shown:
                self._shown.add(turn.id)
                self._console.print(_plain(as_written(turn.said), "cyan"))

    def _show(self, asked: AskedQuestion, state: State) -> None:
        for turn in asked.turns:
            if turn.id not in self._shown:
                self._shown.add(turn.id)
                self._show_turn(turn, asked, state)
        marks_id = f"{asked.asked_id}:marks"
        exam = state.plan is not None and state.plan.mode is Mode.EXAM
        told = asked.closed and not exam and not answer_kept_back(asked, state)
        if (told or state.ended is not None) and asked.answers and marks_id not in self._shown:
            self._shown.add(marks_id)
            self._show_marks(asked)

    def _show_turn(self, turn: Event, asked: AskedQuestion, state: State) -> None:
        match turn:
            case QuestionAsked(said=said) | QuestionReturned(said=said):
                total = shown_length(state.plan, asked.number)
                body = _plain(as_written(said))
                if asked.question.text != asked.question.spoken:
                    body = body + Text("\n\n") + _plain(asked.question.text, "dim")
                if asked.starting_code:
                    body = body + Text("\n\n") + _plain(asked.starting_code.rstrip())
                title = _plain(f"Question {asked.number} of {total} · {asked.question.topic}")
                self._console.print(Panel(body, title=title, title_align="left", border_style="cyan"))
            case _ if isinstance(turn, Said):
                self._console.print(_plain(as_written(turn.said), "cyan"))
            case _:
                pass

    def _show_marks(self, asked: AskedQuestion) -> None:
        if ungraded_on(asked) or asked.question.rubric is None:
            self._console.print(Text("Not graded yet. The report will show the marks when they are ready.", "dim"))
            return
        current = asked.grades[-1]
        silent = unasked(asked, current.grade)
        table = Table(title="Marks", title_justify="left", show_lines=True, expand=True)
        table.add_column("Point", ratio=3)
        table.add_column("Mark", ratio=1)
        table.add_column("Your words", ratio=3)
        for criterion in asked.question.rubric.criteria:
            verdict = current.grade.verdict(criterion.id)
            table.add_row(
                _plain(dtypes_written(criterion.text)),
                verdict_text(verdict, never_asked=criterion.id in silent),
                _quotes(verdict, current.graded_text),
            )
        self._console.print(table)


@contextmanager
def terminal_service(
    container: Container, journal: EventJournal, library: QuestionIndex, *, remote: bool
) -> Iterator[InterviewService]:
    """What holds interviews in a terminal; the models load in the background meanwhile.

    Args:
        container: brings the models up; closed at the end.
        journal: where events go.
        library: where questions come from.
        remote: the model server is somebody else's, and has to be there at once.

    Raises:
        InterviewerError: the encoder cannot be had, or a remote server does not answer.

    """
    warmup = Warmup(
        [
            # The first answer's mark would wait for encoders and index.
            ("Encoders", partial(warm_embedder, container)),
            ("Judge model", container.judge_service.fetch),
            ("Model server", container.judge_service.start),
            ("Question index", library.catch_up),
        ]
    )
    try:
        container.embedding_model()
        if remote:
            container.judge_service.start()
        warmup.start()
        claims = claim_reader(container, library)
        with InterviewService(
            journal,
            library,
            container.grader,
            requests=request_head(container),
            patience_s=PATIENCE_S,
            paraphraser=container.paraphraser,
            encoder=container.statement_encoder,
            passages=passages(container, library, claims),
            claims=claims,
        ) as service:
            yield service
    finally:
        warmup.stop()
        container.close()


def _level(given: str) -> Confidence:
    levels = dict(zip("1234", STATED, strict=True))
    if given.strip() not in levels:
        named = ", ".join(f"{number} {NAMES[level]}" for number, level in levels.items())
        raise BadInputError(f"Say how sure you are with a number: {named}.")
    return levels[given.strip()]


def _plain(text: str, style: str = "") -> Text:
    """Text that can neither style itself nor steer the terminal."""
    return Text("".join(c for c in text if c in "\n\t" or unicodedata.category(c) != "Cc"), style=style)


def verdict_text(verdict: CriterionVerdict, *, never_asked: bool) -> Text:
    """The mark of a point by the word that the page and the report call it."""
    sure = (verdict.sure or verdict.verdict is Verdict.UNSCORED) and not never_asked
    style = _STYLES[verdict.verdict] if sure else "dim"
    word = mark_word(verdict.verdict, sure=verdict.sure, never_asked=never_asked, credit=verdict.credit)
    said = Text(word, style=style)
    if verdict.reason:
        said.append_text(_plain(f"\n{verdict.reason}", "dim"))
    return said


def _quotes(verdict: CriterionVerdict, said: str) -> Text:
    return Text("\n").join(_plain(f"“{said[start:end]}”") for start, end in verdict.evidence)
