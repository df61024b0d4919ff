"""What a person's wishes on the page do to an interview: checked against the turn they were meant for."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from cachetools import TTLCache

from interviewer.engine.story_bank import StoryBank, tell_story
from interviewer.planning.agenda import InterviewOptions, make_plan, practice_plan
from interviewer.planning.daily_quota import DailyQuota
from interviewer.planning.past_interviews import PastInterviews
from interviewer.planning.progress import History
from interviewer.policy.silence import silence_step
from interviewer.policy.time_limit import runs_over
from interviewer.report.aggregate.earlier_scores import earlier_scores
from interviewer.report.schema.findings import EarlierScore
from interviewer.session.drawing import Drawing
from interviewer.session.events import Event, OwnVerdict
from interviewer.session.journal import EventJournal, is_session_id, new_seed, new_session_id
from interviewer.session.plan import Confidence, Plan, usual_starter
from interviewer.session.state import State
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.understanding.input_validation import clean_answer
from interviewer.web.view_state import Action, recorded, render, request_id, turn_of
from knowledge.model import Level, Question
from serving.errors import BadInputError, InterviewerError
from serving.idle import IDLE_S

if TYPE_CHECKING:
    from interviewer.engine.service import InterviewService

_LOG = logging.getLogger(__name__)
Spoken = Callable[[str, str], SpokenAnswer | None]
"""What was heard for a turn: given the ids of the interview and of the turn."""

_WATCHED = 200  # interviews whose state is kept for the pages that watch them, while they go on

_MOVED_ON = (
    "The interview has moved on, maybe in another tab. Nothing was sent. Check the current question and try again."
)


class CommandResult(NamedTuple):
    """What became of a wish.

    Attributes:
        state: the interview as it stands now.
        note: what the person should be told; empty when it was carried out.

    """

    state: State
    note: str = ""


class _Looked(NamedTuple):
    """An interview as it stood after its event of that time, and the digest of what it shows."""

    at: datetime
    state: State
    digest: str


class PageController:
    """Carries out what is asked for on the page.

    Args:
        service: moves interviews on.
        journal: knows which interviews there are.
        spoken: what was heard for a turn of an interview, ``None`` where it was only typed.
        quota: says how many interviews may be begun; as many as they like without one.

    Attributes:
        journal: the same.
        past: what their interviews amount to.
        stories: what they told in them.

    """

    def __init__(
        self,
        service: InterviewService,
        journal: EventJournal,
        spoken: Spoken = lambda *_: None,
        quota: DailyQuota | None = None,
    ) -> None:
        self._service = service
        self._one_more = quota.one_more if quota is not None else nullcontext
        self.journal = journal
        self.past = PastInterviews(journal)
        self.stories = StoryBank(journal, service.reviews)
        self._spoken = spoken
        self._looked: TTLCache[str, _Looked] = TTLCache(_WATCHED, ttl=IDLE_S)
        self._lock = threading.Lock()

    @property
    def runs_code(self) -> bool:
        """Whether code can be run, so that a plan may count on an editor."""
        return self._service.runs_code

    def new_session(self) -> str:
        """An id for an interview that may be started from a page; starting it twice makes one interview."""
        return new_session_id()

    def start(self, session: str, wish: InterviewOptions, questions: Sequence[Question]) -> State:
        """Begin an interview, or return to it when a second click comes with the same id.

        Raises:
            InterviewerError: it cannot begin; nothing was stored.

        """
        return self.begin(session, lambda: make_plan(wish, questions, seed=new_seed(), editor=self.runs_code))

    def find(self, session: str) -> State | None:
        """The interview of that id, or ``None``.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        if not session:
            return None
        try:
            return self._service.state(session)
        except BadInputError:
            return None

    def state(self, session: str) -> State:
        """The interview of that id.

        Raises:
            InterviewerError: there is none, or the journal cannot be read.

        """
        state = self.find(session)
        if state is None:
            raise BadInputError(
                "There is no interview at this address.", hint="Start a new one, or resume an earlier one."
            )
        return state

    def look(self, session: str, seen: str) -> State | None:
        """The interview of that id where it shows something else than ``seen``; where time is used up, it is told so.

        Every open page asks this every second, so what did not change costs next to nothing.

        Args:
            session: the interview's id.
            seen: digest of the view that the page shows.

        Raises:
            InterviewerError: the journal cannot be used.

        """
        held = self._latest(session)
        if held is None:
            return None
        if runs_over(held.state, self._service.now(session, held.state)):
            return self._service.call_time(session)
        return None if held.digest == seen else held.state

    def _latest(self, session: str) -> _Looked | None:
        at = self.journal.last_at(session) if session else None
        if at is None:
            return None
        with self._lock:
            held = self._looked.get(session)
        if held is None or held.at != at:
            state = self.state(session)
            held = _Looked(at, state, render(state).digest)
            with self._lock:
                self._looked[session] = held
        return held

    def earlier_scores(self, session: str) -> tuple[EarlierScore, ...]:
        """What earlier interviews came to by topic; nothing where the journal cannot be read."""
        try:
            return earlier_scores(self.journal, session)
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return ()

    def resume(self, session: str) -> State | None:
        """The interview of that id, going on from where it stands, or ``None``.

        Raises:
            InterviewerError: the journal cannot be used.

        """
        if self.find(session) is None:
            return None
        self._service.grade_due(session)
        self._service.reviews.read_disputed(session)
        return self._service.advance(session)

    def act(
        self, session: str, turn: str, action: Action, text: str = "", sure: Confidence | None = None
    ) -> CommandResult:
        """Carry out a wish once; a repeated one changes nothing, one meant for another turn is refused.

        Args:
            session: the interview.
            turn: what the wish was meant for.
            action: the wish.
            text: of an answer.
            sure: how sure of it the person says that they are.

        Raises:
            InterviewerError: there is no such interview, or the journal cannot be read.

        """
        request = request_id(action, turn)
        state = self.state(session)
        done = recorded(state, request)
        if done is not None:
            return CommandResult(state, _lost(state, done, text))
        if action == "end" and state.ended is not None:
            return CommandResult(state)
        if turn != turn_of(state):
            return CommandResult(state, _MOVED_ON)
        try:
            spoken = self._spoken(session, turn) if action == "answer" else None
            state = self._carry_out(session, action, request, text, spoken=spoken, sure=sure)
        except InterviewerError as error:
            return CommandResult(self.state(session), str(error))
        done = recorded(state, request)
        return CommandResult(state, _lost(state, done, text) if done is not None else "")

    def quiet(self, session: str, turn: str, quiet_s: float) -> State | None:
        """Take the step that the person's silence calls for; ``None`` where it calls for nothing.

        Args:
            session: the interview.
            turn: what the person was being asked meanwhile; on another turn the silence is over.
            quiet_s: seconds since the person last touched a key, or were last spoken to.

        Raises:
            InterviewerError: the journal cannot be used.

        """
        state = self.find(session)
        if state is None or turn != turn_of(state) or silence_step(state, quiet_s) is None:
            return None
        return self._service.silences.quiet(session, quiet_s)

    def cut_short(self, session: str, draft: str) -> State | None:
        """Cut the person short who goes on without a new point; ``None`` where there is no reason to.

        Args:
            session: the interview.
            draft: what they have said or typed so far in this turn.

        Raises:
            InterviewerError: the journal cannot be used.

        """
        return None if self.find(session) is None else self._service.drafts.heard(session, draft)

    def run_code(self, session: str, asked_id: str, source: str, request: str, *, submit: bool) -> CommandResult:
        """Run the code written for a question, or submit it, once for each request.

        Raises:
            InterviewerError: there is no such interview, or the journal cannot be read.

        """
        state = self.state(session)
        if state.current is None or state.current.asked_id != asked_id:
            return CommandResult(state, _MOVED_ON)
        try:
            return CommandResult(self._service.run_code(session, source, request, submit=submit))
        except InterviewerError as error:
            return CommandResult(self.state(session), str(error))

    def code_of(self, session: str) -> str:
        """What the editor shows when a question comes up: what was run last, or what the person starts from.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        state = self.find(session)
        current = state.current if state else None
        if current is None or current.question.task is None:
            return ""
        return current.runs[-1].source if current.runs else current.starting_code

    def not_executed(self, state: State) -> str:
        """Why what is written for the present question is not executed on this machine; empty where it is."""
        task = state.current.question.task if state.current else None
        return self._service.not_executed(task) if task is not None else ""

    def notes_of(self, session: str) -> str:
        """What the person noted for themselves in an interview; empty where there is none.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        state = self.find(session)
        return state.notes if state else ""

    def write_notes(self, session: str, text: str, request: str) -> None:
        """Keep the person's own notes, once for each request.

        Raises:
            InterviewerError: they cannot be kept; nothing was stored.

        """
        self.state(session)
        self._service.reviews.write_notes(session, text, request)

    def keep_drawing(self, session: str, asked_id: str, drawing: Drawing, request: str) -> None:
        """Keep what is drawn for a question, once for each request.

        Raises:
            InterviewerError: it cannot be kept; nothing was stored.

        """
        self._service.reviews.keep_drawing(session, asked_id, drawing, request)

    def state_confidence(self, session: str, answer_id: str, level: Confidence, request: str) -> State:
        """Keep how sure the person says that they are of an answer that was sent, once for each request.

        Raises:
            InterviewerError: it cannot be kept; nothing was stored.

        """
        return self._service.reviews.state_confidence(session, answer_id, level, request)

    def self_assess(self, session: str, asked_id: str, criterion_id: str, verdict: OwnVerdict, request: str) -> State:
        """Keep the person's own verdict on a point that the judge left open, once for each request.

        Raises:
            InterviewerError: it cannot be kept; nothing was stored.

        """
        return self._service.reviews.self_assess(session, asked_id, criterion_id, verdict, request)

    def dispute(self, session: str, asked_id: str, criterion_id: str, reason: str, request: str) -> State:
        """Keep that the person holds a mark to be wrong and have it read again, once for each request.

        Raises:
            InterviewerError: it cannot be disputed; nothing was stored.

        """
        return self._service.reviews.dispute(session, asked_id, criterion_id, reason, request)

    def practice(self, session: str, question_id: str, level: Level) -> State:
        """Begin an interview of exactly one question, or return to it when a second click comes with the same id.

        Raises:
            InterviewerError: it cannot begin; nothing was stored.

        """
        return self.begin(session, lambda: self._as_now(practice_plan((question_id,), level)))

    def tell_story(self, question: Question, text: str, session: str) -> None:
        """Keep a story that the person typed; the same id again keeps it once.

        Raises:
            InterviewerError: it cannot be kept; nothing was stored.

        """
        with self._one_more(session):
            tell_story(self._service, question, text, session)

    def start_drill(self, session: str, questions: Sequence[Question]) -> State:
        """Begin a drill of what is due, or return to it when a second click comes with the same id.

        Raises:
            InterviewerError: it cannot begin, or nothing is due; nothing was stored.

        """
        return self.begin(session, lambda: self._as_now(_drill(self.past.history(questions))))

    def begin(self, session: str, planned: Callable[[], Plan]) -> State:
        """Begin an interview, or return to the one of that id.

        Args:
            session: its id.
            planned: makes its plan; not called where it has begun.

        Raises:
            InterviewerError: it cannot begin; nothing was stored.

        """
        known = self.find(session)
        if known is None and not is_session_id(session):
            raise BadInputError(
                "An interview cannot be started under this name.", hint="Reload the page and start again."
            )
        if known is not None:
            return known
        with self._one_more(session):
            return self._service.state(self._service.start(planned(), session))

    def _as_now(self, plan: Plan) -> Plan:
        starter = usual_starter(plan.level)
        return plan.model_copy(update={"seed": new_seed(), "editor": self.runs_code, "starter": starter})

    def _carry_out(
        self,
        session: str,
        action: Action,
        request: str,
        text: str,
        *,
        spoken: SpokenAnswer | None = None,
        sure: Confidence | None = None,
    ) -> State:
        if action == "answer":
            return self._service.answer(session, text, request, spoken=spoken, sure=sure)
        carry_out = {
            "hint": self._service.hint,
            "repeat": self._service.repeat,
            "finish": self._service.finish,
            "skip": self._service.skip,
            "back": self._service.go_back,
            "pause": self._service.pause,
            "go on": self._service.go_on,
            "end": self._service.end,
        }
        return carry_out[action](session, request)


def _drill(remembered: History) -> Plan:
    if remembered.drill is None:
        raise BadInputError("Nothing is due today.", hint="Start an interview instead.")
    return remembered.drill


def _lost(state: State, done: Event, text: str) -> str:
    """What to tell when other words than these were taken for the same turn.

    Of words that were more than one thing each is kept in an event of its own.
    """
    taken, said = done.person_words, clean_answer(text) if text else ""
    if taken is None or taken == said:
        return ""
    asked = (event for asked in state.asked for event in asked.turns)
    others = [event.person_words or "" for event in asked if event.id.startswith(f"{done.id}:")]
    whole = " ".join(said.split())
    kept = bool(others) and all(" ".join(each.split()).rstrip("?") in whole for each in (taken, *others))
    return "" if kept else _MOVED_ON
