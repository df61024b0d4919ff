"""The interview service: what a person may ask for in a session, and what follows from it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from datetime import datetime
from typing import Any, Self

from interviewer.dialogue import interpretation, return_requests, ungraded_segments
from interviewer.engine import turn
from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.claim_reader import ClaimReader
from interviewer.engine.draft_watch import DraftWatch
from interviewer.engine.effects import EffectRunner
from interviewer.engine.follow_up_effects import FollowUpEffects
from interviewer.engine.grading_coordinator import GradingCoordinator
from interviewer.engine.grading_queue import GradingQueue
from interviewer.engine.paraphraser import Paraphraser
from interviewer.engine.passages.passages import Passages
from interviewer.engine.ports import Library, SecondReader, Verifier
from interviewer.engine.question_supply import QuestionSupply
from interviewer.engine.review_service import ReviewService
from interviewer.engine.session_store import OpenSession, SessionStore, used_otherwise
from interviewer.engine.silence_watch import SilenceWatch
from interviewer.engine.steady_clock import SteadyClock
from interviewer.policy.actions import AskFollowUp, GradeAnswer
from interviewer.policy.next_action import next_action
from interviewer.policy.time_limit import runs_over
from interviewer.session.events import (
    AnswerDeclined,
    CodeRan,
    EndReason,
    HintGiven,
    InterviewEnded,
    InterviewPaused,
    InterviewResumed,
    InterviewStarted,
    QuestionFinished,
    QuestionRepeated,
    QuestionSkipped,
    ReturnWished,
    SegmentClosed,
    TimeCalled,
)
from interviewer.session.journal import EventJournal, new_session_id
from interviewer.session.plan import Confidence, Mode, Plan
from interviewer.session.queries import is_through, require_plan, ungraded
from interviewer.session.state import State
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.understanding.input_validation import clean_answer
from interviewer.understanding.request_head import RequestHead
from rubric.coding.task import CodingTask
from rubric.grading.grader import Grader
from serving import traces
from serving.encoders.sentence_encoder import Embedder
from serving.errors import BadInputError, InterviewerError

_log = logging.getLogger(__name__)


@traces.requests(
    *("start", "answer", "run_code", "finish", "hint", "repeat", "skip", "go_back", "pause", "go_on", "end")
)
class InterviewService:
    """Holds interviews. Safe to use from several threads, and by several processes on one journal.

    Every request of a person carries an id: repeating it changes nothing. What needs no person is done unasked: once a
    mark is there, the follow-up or the next question is put.

    Args:
        journal: where events go.
        library: where questions come from.
        grader: marks answers.
        verifier: runs code; without one, coding questions are answered in words alone.
        second_reader: judges disputed points again; without one, a dispute is kept and nothing is judged.
        paraphraser: has a model word follow-ups; without one, all are said as the bank has them.
        encoder: tells which words come near a point, and what a wording asks for; without one, marks and rules do.
        passages: finds what answers the person's own questions; without it, what shares their words does.
        claims: finds statements that are doubted; without it none is.
        requests: reads wordings that no rule knows; where it is left out, by the encoder alone.
        patience_s: how long an interview waits for a mark before it goes on; ``None`` until ``advance`` has it.
        clock: tells the time in UTC; left out, one that the machine's clock cannot put forward or back.

    Attributes:
        reviews: keeps what a person or a mentor says about marks.
        silences, drafts: speak into silences; read ahead in answers, and cut short who goes on without a new point.
    """

    def __init__(
        self,
        journal: EventJournal,
        library: Library,
        grader: Grader,
        *,
        patience_s: float | None,
        verifier: Verifier | None = None,
        second_reader: SecondReader | None = None,
        paraphraser: Paraphraser | None = None,
        encoder: Embedder | None = None,
        passages: Passages | None = None,
        claims: ClaimReader | None = None,
        requests: RequestHead | None = None,
        clock: Callable[[], datetime] | None = None,
        answers_at_once: int = 2,
    ) -> None:
        self._journal, self._patience_s, self._verifier = journal, patience_s, verifier
        self._queue, clock = GradingQueue(grader, workers=answers_at_once), clock or SteadyClock()
        self._supply, self._store = QuestionSupply(library, journal, clock), SessionStore(journal, clock)
        requests = self._requests = requests or RequestHead(encoder)
        reader = AnswerReader(encoder, claims, requests)
        self._coordinator = GradingCoordinator(self._queue, self._store, patience_s, self._settle, reader)
        self._follow_ups = FollowUpEffects(paraphraser, self._go_on_worded)
        told = passages or Passages(library, encoder)
        self._effects = EffectRunner(told, self._supply, self._coordinator, verifier, self._follow_ups)
        self.reviews = ReviewService(self._store, second_reader)
        self.silences, self.drafts = SilenceWatch(self._store), DraftWatch(self._store, reader, self._coordinator)

    @property
    def runs_code(self) -> bool:
        """Whether code can be run here, so that a plan may count on an editor."""
        return self._verifier is not None

    def not_executed(self, task: CodingTask) -> str:
        """Returns why code written for a task is not executed on this machine; empty where it is."""
        return self._verifier.unavailable(task) if self._verifier is not None else ""

    def start(self, plan: Plan, session_id: str | None = None) -> str:
        """Begins an interview and asks its first question; one that has begun already goes on as it was planned.

        Returns:
            The interview's id, a new one where none was given.

        Raises:
            BadInputError: no question fits the plan, or it names one that is unknown or cannot be graded.
            ServiceMissingError: topics in words of one's own need the embedder, and it is not there.
            StorageError: the disk refused.

        """
        session_id = session_id or new_session_id()
        with self._store.open(session_id, new=True) as session:
            if not session.events:
                self._supply.check(plan)
                session.append(InterviewStarted(id="interview:started", at=session.now(), plan=plan))
            self._settle(session)
        return session_id

    def state(self, session_id: str) -> State:
        """Returns how an interview stands.

        Raises:
            BadInputError: there is none of that id.
            StorageError: the disk refused.

        """
        return self._store.state(session_id)

    def answer(
        self,
        session_id: str,
        text: str,
        request_id: str,
        *,
        literally: bool = False,
        spoken: SpokenAnswer | None = None,
        sure: Confidence | None = None,
    ) -> State:
        """Takes what the person says to the open question or its last follow-up; it is on the disk at the return.

        An utterance that asks for something, such as a hint or the next question, is carried out as that request,
        under this request's id (``interviewer.dialogue.interpretation``). In an ungraded segment it is what the
        person says there.

        Args:
            session_id: the interview's.
            text: what the person says.
            request_id: names the request.
            literally: take it as an answer whatever it sounds like.
            spoken: what was recognized, where it was spoken.
            sure: how sure the person says that they are; kept where it is taken as an answer.

        Raises:
            BadInputError: the answer is empty, too long or no text, or no question is open; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            done = session.event_of(request_id)
            if done is not None and done.person_words is None:
                raise used_otherwise(request_id)
            if done is None:
                said = turn.Said(clean_answer(text), spoken, sure, literally)
                for answer in turn.take(session, said, request_id, self._requests):
                    self._coordinator.order(session.id, session.state, answer)
            return self._settle(session)

    def run_code(self, session_id: str, source: str, request_id: str, *, submit: bool) -> State:
        """Runs the code written for the open question: the examples, or as a submission all tests.

        Takes as long as the code takes; meanwhile the interview stays usable.

        Raises:
            BadInputError: no coding question is open, or the code is empty or too long; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            if session.happened(request_id, CodeRan):
                return self._settle(session)
            current = session.open_question()
        task = current.question.task
        if task is None or self._verifier is None:
            raise BadInputError("This question is answered in words; there is no code to run.")
        result = self._verifier.verify(task, source, only_examples=not submit)
        self._verifier.prepare(task)
        plan = self.state(session_id).plan
        if plan is not None and plan.mode is Mode.EXAM:
            result = result.strict
        with self._store.open(session_id) as session:
            at, asked_id = session.now(), current.asked_id
            ran = CodeRan(id=request_id, at=at, asked_id=asked_id, source=source, submitted=submit, result=result)
            session.append(ran)
            return self._settle(session)

    def finish(self, session_id: str, request_id: str) -> State:
        """Hands in what there is of the open coding question and goes on to the next.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, QuestionFinished):
                asked_id = session.open_question().asked_id
                session.append(QuestionFinished(id=request_id, at=session.now(), asked_id=asked_id))
            return self._settle(session)

    def hint(self, session_id: str, request_id: str) -> State:
        """Gives a hint on the open question.

        Raises:
            BadInputError: no question is open, or the interview is an exam.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, HintGiven):
                current, plan = session.open_question(), require_plan(session.state)
                if plan.mode is Mode.EXAM:
                    raise BadInputError("This interview is an exam; there are no hints in it.")
                session.append(interpretation.hinted(current, plan, request_id, at=session.now()))
            return self._settle(session)

    def repeat(self, session_id: str, request_id: str) -> State:
        """Says the open question, or its last follow-up, again.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, QuestionRepeated):
                current, plan = session.open_question(), require_plan(session.state)
                session.append(interpretation.repeated(current, plan, request_id, at=session.now()))
            return self._settle(session)

    def skip(self, session_id: str, request_id: str, *, whole: bool = False) -> State:
        """Leaves what is open: an ungraded segment, a follow-up, or the question; with ``whole`` always the question.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, QuestionSkipped, SegmentClosed, AnswerDeclined):
                session.append(turn.left(session, request_id, whole=whole))
            return self._settle(session)

    def go_back(self, session_id: str, request_id: str) -> State:
        """Asks the question that was left last again, as soon as the open one is closed.

        Raises:
            BadInputError: there is none to go back to, or the clock does not allow it; nothing was stored.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, ReturnWished):
                session.append(return_requests.return_button(session.running(), request_id, at=session.now()))
            return self._settle(session)

    def pause(self, session_id: str, request_id: str) -> State:
        """Stops the clock; nothing can be answered until it runs again. Twice is once.

        Raises:
            BadInputError: the interview is over.
            StorageError: the disk refused.

        """
        return self._switch(session_id, request_id, InterviewPaused)

    def go_on(self, session_id: str, request_id: str) -> State:
        """Lets the clock run again. Twice is once.

        Raises:
            BadInputError: the interview is over.
            StorageError: the disk refused.

        """
        return self._switch(session_id, request_id, InterviewResumed)

    def now(self, session_id: str, state: State) -> datetime:
        """Returns the time in an interview that stands like this."""
        return self._store.now(session_id, state.last_at)

    def call_time(self, session_id: str) -> State:
        """Says so when the time for the open question is used up and the person is to speak; else nothing happens.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if runs_over(session.state, self.now(session_id, session.state)):
                asked_id, said = session.open_question().asked_id, ungraded_segments.time_called()
                session.append(TimeCalled(id=f"{asked_id}:time", at=session.now(), asked_id=asked_id, said=said))
            return session.state

    def end(self, session_id: str, request_id: str) -> State:
        """Ends the interview now; what was answered is graded all the same.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            session.event_of(request_id)
            if session.state.ended is None:
                reason: EndReason = "completed" if is_through(session.state) else "ended by the person"
                session.append(InterviewEnded(id=request_id, at=session.now(), reason=reason))
            self._order_all(session)
            return self._settle(session)

    def advance(self, session_id: str) -> State:
        """Carries out everything that needs no person.

        With a patience this returns at once; without one it waits for the marks of the open question and for a
        model's words, and of an ended interview for all marks that are due and have not failed.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused; a mark that could not be stored is kept and stored next time.

        """
        while True:
            with self._store.open(session_id) as session:
                state = self._settle(session)
                waited_for = self._waited_for(session) if self._patience_s is None else []
            while waited_for and wait(waited_for, timeout=0.2).not_done and not self._queue.closing:
                pass
            if not waited_for or self._queue.closing:
                return state
            for future in waited_for:
                if not future.cancelled():
                    future.result()

    def grade_due(self, session_id: str) -> None:
        """Has every answer graded that is not, those included whose grading failed.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            self._order_all(session)

    def resume_all(self) -> None:
        """Has graded, after a restart, whatever is due in any interview, ended ones included.

        An interview that cannot be read is logged and left as it is.

        Raises:
            StorageError: the disk refused.

        """
        for summary in self._journal.sessions():
            if not summary.ungraded or summary.damaged or summary.newer:
                continue
            try:
                self.grade_due(summary.id)
            except InterviewerError as error:
                _log.warning("interview %s is not graded: %s", summary.id, error)

    def close(self) -> None:
        """Stops grading; what is ungraded stays due. Nothing is appended any more."""
        self._coordinator.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _settle(self, session: OpenSession) -> State:
        return self._effects.settle(session)

    def _order_all(self, session: OpenSession) -> None:
        for answer in session.due():
            self._coordinator.order(session.id, session.state, answer)

    def _switch(self, session_id: str, request_id: str, kind: type[InterviewPaused | InterviewResumed]) -> State:
        with self._store.open(session_id) as session:
            happened = session.happened(request_id, InterviewPaused, InterviewResumed)
            if not happened and session.running(paused=True).paused is not (kind is InterviewPaused):
                session.append(kind(id=request_id, at=session.now()))
            return self._settle(session)

    def _go_on_worded(self, session_id: str) -> None:
        try:
            with self._store.open(session_id) as session:
                if not self._queue.closing:
                    self._settle(session)
        except InterviewerError as error:
            # It was deleted meanwhile, or the next request meets the same disk and tells the person.
            _log.warning("interview %s could not go on: %s", session_id, error)

    def _waited_for(self, session: OpenSession) -> Sequence[Future[Any]]:
        """Returns the gradings, or the wording, that an interview without patience waits for."""
        state = session.state
        action = next_action(state)
        if isinstance(action, AskFollowUp):
            return self._follow_ups.awaited(session.id)
        failed = {failure.answer_id for asked in state.asked for failure in asked.failures}
        due = [
            answer
            for answer in ungraded(state)
            if (isinstance(action, GradeAnswer) and answer.id == action.answer_id)
            or ((state.ended is not None or answer.meanwhile) and answer.id not in failed)
        ]
        return [self._coordinator.order(session.id, state, answer) for answer in due]
