"""Carries out what a person asks for and what the pure parts decide, and appends what happened."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self

from interviewer.dialogue import interpretation, paraphrase, return_requests, ungraded_segments, utterances
from interviewer.dialogue.quotation import quotation
from interviewer.engine.effects import ENDED_ID, Putting, plan_of
from interviewer.engine.grading_coordinator import Marks
from interviewer.engine.grading_queue import GradingDesk
from interviewer.engine.paraphraser import Phraser
from interviewer.engine.ports import Library, SecondReader, Verifier
from interviewer.engine.question_supply import Selection
from interviewer.engine.session_store import Ledger, check_request_id, used_otherwise
from interviewer.policy.actions import AskFollowUp, CloseQuestion, EndInterview, GradeAnswer
from interviewer.policy.code_follow_ups import next_point
from interviewer.policy.follow_ups import misheard
from interviewer.policy.next_action import next_action
from interviewer.policy.time_limit import runs_over
from interviewer.scoring.disputes import check_dispute, second_grade, second_requests
from interviewer.scoring.self_assessment import check_settling
from interviewer.scoring.stated_confidence import check_stating
from interviewer.session.events import (
    AnswerGiven,
    CodeRan,
    ConfidenceStated,
    CriterionSelfAssessed,
    Event,
    FollowUpAsked,
    FollowUpKind,
    HintGiven,
    InterviewEnded,
    InterviewPaused,
    InterviewResumed,
    InterviewStarted,
    MarkDisputed,
    NotesWritten,
    OwnVerdict,
    PersonSpoke,
    Phrased,
    QuestionClosed,
    QuestionFinished,
    QuestionRepeated,
    QuestionSkipped,
    ReturnWished,
    TalkClosed,
    TimeCalled,
)
from interviewer.session.journal import new_session_id
from interviewer.session.person_words import BY_WORDS, words_of
from interviewer.session.plan import Confidence, Mode, Plan
from interviewer.session.queries import asked_by_id, ungraded
from interviewer.session.state import AskedQuestion, State
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.input_validation import clean_answer, clean_notes
from rubric.coding.task import CodingTask
from rubric.grading.grader import Grader
from serving.errors import BadInputError, InterviewerError, StorageError

_log = logging.getLogger(__name__)


class Conductor:
    """Holds interviews. Safe to use from several threads, and by several processes on one journal.

    Every request of a person carries an id: repeating it changes nothing. Everything that needs no person is
    done without being asked for: once a mark is there, the follow-up or the next question is put.

    Args:
        journal: where events go.
        library: where questions come from.
        grader: marks answers.
        verifier: runs code; without one, coding questions are answered in words alone.
        second_reader: judges disputed points again; without one, a dispute is kept and nothing is judged.
        phraser: has a model word follow-ups; without one, all are said as the bank has them.
        patience_s: how long an interview waits for a mark before it goes on without; ``None`` makes
            ``advance`` wait until the mark is there.
        clock: tells the time in UTC.

    """

    def __init__(
        self,
        journal: Journal,
        library: Library,
        grader: Grader,
        *,
        patience_s: float | None,
        verifier: Verifier | None = None,
        second_reader: SecondReader | None = None,
        phraser: Phraser | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._journal = journal
        self._desk = GradingDesk(grader)
        self._patience_s = patience_s
        self._verifier = verifier
        self._second_reader = second_reader
        self._phraser = phraser
        self._clock = clock
        self._selection = Selection(library, journal, clock)
        self._ledger = Ledger(journal, clock)
        self._marks = Marks(self._desk, self._ledger, patience_s, self._settle)
        self._putting = Putting(library, self._selection, self._marks, verifier)

    @property
    def runs_code(self) -> bool:
        """Whether code can be run here, so that a plan may count on an editor."""
        return self._verifier is not None

    def not_executed(self, task: CodingTask) -> str:
        """Why code written for a task is not executed on this machine; empty where it is."""
        return self._verifier.unavailable(task) if self._verifier is not None else ""

    def start(self, plan: Plan, session_id: str | None = None) -> str:
        """Begin an interview and ask its first question; one that has begun already goes on as it was planned.

        Returns:
            The interview's id, a new one where none was given.

        Raises:
            BadInputError: no question fits the plan, or it names one that is unknown or cannot be graded.
            ServiceMissingError: topics in words of one's own need the embedder, and it is not there.
            StorageError: the disk refused.

        """
        session_id = session_id or new_session_id()
        with self._ledger.locked(session_id):
            if not self._journal.events(session_id):
                self._selection.check(plan)
                self._ledger.put(session_id, partial(InterviewStarted, id="interview:started", plan=plan))
            self._settle(session_id)
        return session_id

    def state(self, session_id: str) -> State:
        """How an interview stands.

        Raises:
            BadInputError: there is none of that id.
            StorageError: the disk refused.

        """
        return self._ledger.state(session_id)

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
        """Take what the person says to the open question or its last follow-up; it is on the disk when this returns.

        An utterance that asks for something, such as a hint or the next question, is carried out as that request,
        under this request's id (``interviewer.dialogue.interpretation``). In the parts in which nothing is graded it
        is what the person says there.

        Args:
            session_id: the interview's.
            text: what the person says.
            request_id: names the request.
            literally: take it as an answer whatever it sounds like.
            spoken: what was recognised, where it was spoken.
            sure: how sure the person says that they are; kept where it is taken as an answer.

        Raises:
            BadInputError: the answer is empty, too long or no text, or no question is open; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._ledger.locked(session_id):
            if not self._said_before(session_id, request_id):
                cleaned = clean_answer(text)
                event = self._heard(session_id, cleaned, request_id, literally=literally)
                if not isinstance(event, partial) or event.func is not AnswerGiven:
                    self._ledger.put(session_id, event)
                    return self._settle(session_id)
                # Words that only told which question was meant are not those that were spoken on it.
                heard = spoken if not event.keywords.get("choice") else None
                self._ledger.put(session_id, partial(event, spoken=heard))
                if sure is not None:
                    asked_id = event.keywords["asked_id"]
                    self._keep_confidence(session_id, asked_id, request_id, sure, f"{request_id}:sure")
                self._grade_unawaited(session_id, request_id)
            return self._settle(session_id)

    def _heard(self, session_id: str, text: str, request_id: str, *, literally: bool) -> Callable[..., Event]:
        """What the person's words amount to where the interview stands.

        Raises:
            BadInputError: no question is open, nor a part in which nothing is graded.

        """
        state = self._ledger.running(session_id)
        if state.talk is not None:
            return interpretation.heard_in_talk(state, state.talk.part, text, request_id)
        current = self._ledger.open_question(session_id)
        if literally:
            return interpretation.answered(current, text, request_id)
        return interpretation.heard(state, current, text, request_id)

    def state_confidence(self, session_id: str, answer_id: str, level: Confidence, request_id: str) -> State:
        """Keep how sure the person says that they are of an answer, as long as they cannot know its marks.

        Raises:
            BadInputError: there is no such answer, or its marks are known; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, ConfidenceStated):
                answer = check_stating(self.state(session_id), answer_id)
                self._keep_confidence(session_id, answer.asked_id, answer_id, level, request_id)
            return self.state(session_id)

    def run_code(self, session_id: str, source: str, request_id: str, *, submit: bool) -> State:
        """Run the code written for the open question: the examples, or as a submission all tests.

        Takes as long as the code takes; meanwhile the interview stays usable.

        Raises:
            BadInputError: no coding question is open, or the code is empty or too long; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._ledger.locked(session_id):
            if self._ledger.happened(session_id, request_id, CodeRan):
                return self._settle(session_id)
            current = self._ledger.open_question(session_id)
        task = current.question.task
        if task is None or self._verifier is None:
            raise BadInputError("This question is answered in words; there is no code to run.")
        result = self._verifier.verify(task, source, only_examples=not submit)
        self._verifier.prepare(task)
        plan = self.state(session_id).plan
        if plan is not None and plan.mode is Mode.EXAM:
            result = result.strict
        with self._ledger.locked(session_id):
            event = partial(
                CodeRan,
                id=request_id,
                asked_id=current.asked_id,
                source=source,
                submitted=submit,
                result=result,
            )
            self._ledger.put(session_id, event)
            return self._settle(session_id)

    def finish(self, session_id: str, request_id: str) -> State:
        """Hand in what there is of the open coding question and go on to the next.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        return self._leave(session_id, request_id, QuestionFinished)

    def hint(self, session_id: str, request_id: str) -> State:
        """Give a hint on the open question.

        Raises:
            BadInputError: no question is open, or the interview is an exam.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, HintGiven):
                current = self._ledger.open_question(session_id)
                plan = plan_of(self.state(session_id))
                if plan.mode is Mode.EXAM:
                    raise BadInputError("This interview is an exam; there are no hints in it.")
                self._ledger.put(session_id, interpretation.hinted(current, plan, request_id))
            return self._settle(session_id)

    def repeat(self, session_id: str, request_id: str) -> State:
        """Say the open question, or its last follow-up, again.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, QuestionRepeated):
                current = self._ledger.open_question(session_id)
                self._ledger.put(
                    session_id, interpretation.repeated(current, plan_of(self.state(session_id)), request_id)
                )
            return self._settle(session_id)

    def skip(self, session_id: str, request_id: str) -> State:
        """Leave the open question, or the part without marks, and go on to the next.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            if self._ledger.happened(session_id, request_id, QuestionSkipped, TalkClosed):
                return self._settle(session_id)
            part = self._ledger.running(session_id).talk
            if part is not None:
                self._ledger.put(session_id, partial(TalkClosed, id=request_id, part=part.part))
                return self._settle(session_id)
            return self._leave(session_id, request_id, QuestionSkipped)

    def go_back(self, session_id: str, request_id: str) -> State:
        """Ask the question that was left last again, as soon as the open one is closed.

        Raises:
            BadInputError: there is none to go back to, or the clock does not allow it; nothing was stored.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, ReturnWished):
                self._ledger.put(session_id, return_requests.by_button(self._ledger.running(session_id), request_id))
            return self._settle(session_id)

    def pause(self, session_id: str, request_id: str) -> State:
        """Stop the clock; nothing can be answered until it runs again. Twice is once.

        Raises:
            BadInputError: the interview is over.
            StorageError: the disk refused.

        """
        return self._switch(session_id, request_id, InterviewPaused)

    def go_on(self, session_id: str, request_id: str) -> State:
        """Let the clock run again. Twice is once.

        Raises:
            BadInputError: the interview is over.
            StorageError: the disk refused.

        """
        return self._switch(session_id, request_id, InterviewResumed)

    def call_time(self, session_id: str) -> State:
        """Say so when the time for the open question is used up and the person is to speak; else nothing happens.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            state = self.state(session_id)
            if runs_over(state, self._clock()):
                current = self._ledger.open_question(session_id)
                said = ungraded_segments.time_called()
                event = partial(TimeCalled, id=f"{current.asked_id}:time", asked_id=current.asked_id, said=said)
                self._ledger.put(session_id, event)
            return self.state(session_id)

    def end(self, session_id: str, request_id: str) -> State:
        """End the interview now; what was answered is graded all the same.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            check_request_id(request_id)
            if self.state(session_id).ended is None:
                self._ledger.put(session_id, partial(InterviewEnded, id=request_id, reason="ended by the person"))
            self.grade_due(session_id)
            return self._settle(session_id)

    def write_notes(self, session_id: str, text: str, request_id: str) -> None:
        """Keep the person's own notes in the place of those before, also when the interview is over.

        Raises:
            BadInputError: there is no such interview, or they are too long or no text; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        cleaned = clean_notes(text)
        with self._ledger.locked(session_id):
            happened = self._ledger.happened(session_id, request_id, NotesWritten)
            if not happened and self.state(session_id).notes != cleaned:
                self._ledger.put(session_id, partial(NotesWritten, id=request_id, text=cleaned))

    def self_assess(
        self, session_id: str, asked_id: str, criterion_id: str, verdict: OwnVerdict, request_id: str
    ) -> State:
        """Keep the person's own verdict on a criterion that the judge left open; the latest one counts.

        Raises:
            BadInputError: there is no such criterion, it is still being asked about or graded, or the judge was
                sure of it; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, CriterionSelfAssessed):
                check_settling(self.state(session_id), asked_id, criterion_id, verdict)
                event = partial(
                    CriterionSelfAssessed,
                    id=request_id,
                    asked_id=asked_id,
                    criterion_id=criterion_id,
                    verdict=verdict,
                )
                self._ledger.put(session_id, event)
            return self.state(session_id)

    def dispute(self, session_id: str, asked_id: str, criterion_id: str, reason: str, request_id: str) -> State:
        """Keep that the person holds a mark to be wrong, and have the point judged a second time.

        Takes as long as judging one point does. Where it cannot be judged now the dispute is kept all the same, and
        ``read_disputed`` tries again.

        Raises:
            BadInputError: there is no such mark, or it is disputed already; nothing was stored.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, MarkDisputed):
                check_dispute(self.state(session_id), asked_id, criterion_id, reason)
                event = partial(
                    MarkDisputed,
                    id=request_id,
                    asked_id=asked_id,
                    criterion_id=criterion_id,
                    reason=reason.strip(),
                )
                self._ledger.put(session_id, event)
        return self.read_disputed(session_id)

    def read_disputed(self, session_id: str) -> State:
        """Have every disputed point judged a second time that is not yet; what cannot be judged now stays due.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        due = second_requests(self.state(session_id)) if self._second_reader else ()
        for dispute, question, request in due:
            try:
                reading = self._second_reader.read(request, dispute.criterion_id) if self._second_reader else None
            except InterviewerError as error:
                _log.warning("point %s of %s was not judged again: %s", dispute.criterion_id, session_id, error)
                continue
            if reading is not None:
                with self._ledger.locked(session_id):
                    self._ledger.put(session_id, partial(second_grade, dispute, question, request, reading))
        return self.state(session_id)

    def advance(self, session_id: str) -> State:
        """Carry out everything that needs no person.

        With a patience this returns at once; without one it waits for the marks of the open question and for a
        model's words, and of an ended interview for all marks that are due and have not failed.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused; a mark that could not be stored is kept and stored next time.

        """
        while True:
            with self._ledger.locked(session_id):
                state = self._settle(session_id)
                waited_for = self._waited_for(session_id, state) if self._patience_s is None else []
            while waited_for and wait(waited_for, timeout=0.2).not_done and not self._desk.closing:
                pass
            if not waited_for or self._desk.closing:
                return state
            for future in waited_for:
                if not future.cancelled():
                    future.result()

    def grade_due(self, session_id: str) -> None:
        """Have every answer graded that is not, those included whose grading failed.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._ledger.locked(session_id):
            state = self.state(session_id)
            for answer in ungraded(state):
                self._marks.order(session_id, state, answer)

    def resume_all(self) -> None:
        """After a restart: have graded whatever is due in any interview, ended ones included.

        Raises:
            StorageError: the disk refused.

        """
        for summary in self._journal.sessions():
            if summary.ungraded:
                self.grade_due(summary.id)

    def close(self) -> None:
        """Stop grading; what is ungraded stays due. Nothing is appended any more."""
        self._marks.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _switch(self, session_id: str, request_id: str, kind: type[InterviewPaused | InterviewResumed]) -> State:
        with self._ledger.locked(session_id):
            happened = self._ledger.happened(session_id, request_id, InterviewPaused, InterviewResumed)
            if not happened and self._ledger.running(session_id, paused=True).paused is not (kind is InterviewPaused):
                self._ledger.put(session_id, partial(kind, id=request_id))
            return self._settle(session_id)

    def _leave(self, session_id: str, request_id: str, kind: type[QuestionSkipped | QuestionFinished]) -> State:
        """Go on from the open question, for the reason that the kind of event tells."""
        with self._ledger.locked(session_id):
            if not self._ledger.happened(session_id, request_id, kind):
                current = self._ledger.open_question(session_id)
                self._ledger.put(session_id, partial(kind, id=request_id, asked_id=current.asked_id))
            return self._settle(session_id)

    def _settle(self, session_id: str) -> State:
        """Carry out actions until it is the person's turn or a mark has to come."""
        while True:
            state = self.state(session_id)
            action = next_action(state)
            if isinstance(action, GradeAnswer):
                question = asked_by_id(state, action.asked_id)
                self._marks.order(session_id, state, next(a for a in question.answers if a.id == action.answer_id))
                return state
            event = self._event_of(session_id, action, state)
            if event is None:
                return state
            if not self._ledger.put(session_id, event) and self.state(session_id) == state:
                raise StorageError(f"Interview {session_id} contradicts itself and cannot go on.")

    def _event_of(self, session_id: str, action: object, state: State) -> Callable[..., Event] | None:
        """The event that an action amounts to, but for its time; ``None`` where there is nothing to do."""
        match action:
            case AskFollowUp():
                return self._drilling(session_id, action, state)
            case CloseQuestion(asked_id=asked_id):
                again = ":2" if asked_by_id(state, asked_id).returned else ""
                return partial(QuestionClosed, id=f"{asked_id}:closed{again}", asked_id=asked_id)
            case EndInterview(reason=reason):
                return partial(InterviewEnded, id=ENDED_ID, reason=reason)
            case _:
                return self._putting.event(session_id, action, state)

    def _drilling(self, session_id: str, action: AskFollowUp, state: State) -> Callable[..., Event] | None:
        """A follow-up; ``None`` while a model is wording it."""
        asked, kind, criterion_id = asked_by_id(state, action.asked_id), action.kind, action.criterion_id
        graded = asked.grades[-1] if asked.grades else None
        points = asked.question.rubric.criteria if asked.question.rubric else ()
        drilled = next((criterion for criterion in points if criterion.id == criterion_id), None)
        quote = quotation(drilled, graded.grade, graded.graded_text) if graded and drilled else ""
        turn = len(asked.follow_ups)
        point = next_point(asked)
        if point is not None and point.topic == criterion_id:
            said = point.said
        else:
            said = utterances.follow_up(
                asked.question,
                kind,
                criterion_id,
                quote=quote,
                turn=turn,
                seed=plan_of(state).seed,
                doubtful=misheard(graded.grade, criterion_id) if graded else "",
            )
        worded = self._worded(session_id, asked, kind, said, state)
        if worded is None:
            return None
        return partial(
            FollowUpAsked,
            id=f"{asked.asked_id}:follow-up:{turn + 1}",
            asked_id=asked.asked_id,
            kind=kind,
            criterion_id=criterion_id,
            said=worded[0],
            phrased=worded[1],
        )

    def _worded(
        self, session_id: str, asked: AskedQuestion, kind: FollowUpKind, said: str, state: State
    ) -> tuple[str, Phrased | None] | None:
        """A follow-up as it is put, by a model where one may word it; ``None`` while that is waited for."""
        ask = paraphrase.ask_for(asked, kind, said, state) if self._phraser is not None else None
        if self._phraser is None or ask is None:
            return said, None
        offer = self._phraser.offer(session_id, ask, partial(self._go_on_worded, session_id))
        return paraphrase.worded(said, ask, asked, offer) if offer is not None else None

    def _go_on_worded(self, session_id: str) -> None:
        try:
            with self._ledger.locked(session_id):
                if not self._desk.closing:
                    self._settle(session_id)
        except InterviewerError as error:
            # It was deleted meanwhile, or the next request meets the same disk and tells the person.
            _log.warning("interview %s could not go on: %s", session_id, error)

    def _waited_for(self, session_id: str, state: State) -> Sequence[Future[Any]]:
        """The gradings, or the wording, that an interview without patience waits for."""
        action = next_action(state)
        if isinstance(action, AskFollowUp) and self._phraser is not None:
            return self._phraser.awaited(session_id)
        failed = {failure.answer_id for asked in state.asked for failure in asked.failures}
        due = [
            answer
            for answer in ungraded(state)
            if (isinstance(action, GradeAnswer) and answer.id == action.answer_id)
            or ((state.ended is not None or answer.meanwhile) and answer.id not in failed)
        ]
        return [self._marks.order(session_id, state, answer) for answer in due]

    def _said_before(self, session_id: str, request_id: str) -> bool:
        """Whether the person's words of that request were taken already, as whatever they were.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request that was not made in words.

        """
        event = self._ledger.event_of(session_id, request_id, PersonSpoke, *BY_WORDS)
        if event is not None and words_of(event) is None:
            raise used_otherwise(request_id)
        return event is not None

    def _grade_unawaited(self, session_id: str, request_id: str) -> None:
        """Have graded what nobody waits for and counts all the same: unfinished thoughts, and what mends an answer."""
        state = self.state(session_id)
        for answer in ungraded(state):
            if answer.id == request_id and (answer.unfinished or answer.meanwhile):
                self._marks.order(session_id, state, answer)

    def _keep_confidence(
        self, session_id: str, asked_id: str, answer_id: str, level: Confidence, event_id: str
    ) -> None:
        event = partial(ConfidenceStated, id=event_id, asked_id=asked_id, answer_id=answer_id, level=level)
        self._ledger.put(session_id, event)
