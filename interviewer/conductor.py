"""Carries out what the pure parts decide and appends what happened: the one file here that acts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol, Self

from interviewer import going_back, hearing, phrasing, returning, talk
from interviewer.assessments import check_settling
from interviewer.clock import is_over, left_s, since_last
from interviewer.confidence import check_stating
from interviewer.disputes import check_dispute, second_grade, second_requests
from interviewer.drill import misheard
from interviewer.events import (
    AnswerGiven,
    AnswerGraded,
    CodeRan,
    Confidence,
    ConfidenceStated,
    CriterionSelfAssessed,
    CriterionShown,
    Event,
    FollowUpAsked,
    GradingFailed,
    HintGiven,
    InterviewEnded,
    InterviewerReplied,
    InterviewPaused,
    InterviewResumed,
    InterviewStarted,
    MarkDisputed,
    Mode,
    NotesWritten,
    OwnVerdict,
    Part,
    PersonSpoke,
    Plan,
    QuestionAsked,
    QuestionClosed,
    QuestionFinished,
    QuestionRepeated,
    QuestionSkipped,
    ReturnWished,
    TalkClosed,
    TalkOpened,
    TimeCalled,
)
from interviewer.execution import next_point
from interviewer.grading import GradingDesk
from interviewer.intake import clean_answer, clean_notes
from interviewer.journal import Journal, new_session_id
from interviewer.marking import fair, grade_request
from interviewer.quoting import quotation
from interviewer.selection import Library, Selection
from interviewer.session import (
    MOST_REPLIES,
    AskFollowUp,
    AskQuestion,
    CloseQuestion,
    CloseTalk,
    EndInterview,
    GradeAnswer,
    Listen,
    OpenTalk,
    Reply,
    ReturnTo,
    ShowCriterion,
    asked_by_id,
    fold,
    next_action,
    ungraded,
)
from interviewer.spoken import SpokenAnswer
from interviewer.state import AskedQuestion, State
from knowledge.model import Question
from rubric.execution import CodeResult
from rubric.grader import Grader, GradeRequest
from rubric.model import Grade
from rubric.second import SecondReading
from rubric.task import CodingTask
from serving.errors import BadInputError, InterviewerError, StorageError

_log = logging.getLogger(__name__)

_ENDED_ID = "interview:ended"


class Verifier(Protocol):
    """Runs code against a task's tests; ``rubric.code.Verifier`` is one."""

    def prepare(self, task: CodingTask) -> None:
        """Get ready for submissions to a task; returns at once."""
        ...

    def unavailable(self, task: CodingTask) -> str:
        """Why nothing written for a task can be executed here; empty where it can."""
        ...

    def verify(self, task: CodingTask, source: str, *, only_examples: bool = False) -> CodeResult:
        """What becomes of a program.

        Raises:
            BadInputError: it is empty, too long, or no text.

        """
        ...


class SecondReader(Protocol):
    """Judges a disputed point again; ``rubric.second.SecondReader`` is one."""

    def read(self, request: GradeRequest, criterion_id: str) -> SecondReading:
        """Judge one criterion of an answer alone, on the sentences nearest to it.

        Raises:
            InterviewerError: it cannot be judged, or not now.

        """
        ...


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
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._journal = journal
        self._library = library
        self._desk = GradingDesk(grader)
        self._patience_s = patience_s
        self._verifier = verifier
        self._second_reader = second_reader
        self._clock = clock
        self._selection = Selection(library, journal, clock)
        self._guard = threading.Lock()
        self._locks: dict[str, threading.RLock] = {}
        self._timers: dict[tuple[str, str], threading.Timer] = {}

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
        with self._locked(session_id):
            if not self._journal.events(session_id):
                self._selection.check(plan)
                self._put(session_id, partial(InterviewStarted, id="interview:started", plan=plan))
            self._settle(session_id)
        return session_id

    def state(self, session_id: str) -> State:
        """How an interview stands.

        Raises:
            BadInputError: there is none of that id.
            StorageError: the disk refused.

        """
        return fold(self._events(session_id))

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
        under this request's id (``interviewer.hearing``). In the parts in which nothing is graded it is what the
        person says there.

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
        with self._locked(session_id):
            if not self._said_before(session_id, request_id):
                cleaned = clean_answer(text)
                event = self._heard(session_id, cleaned, request_id, literally=literally)
                if not isinstance(event, partial) or event.func is not AnswerGiven:
                    self._put(session_id, event)
                    return self._settle(session_id)
                # Words that only told which question was meant are not those that were spoken on it.
                heard = spoken if not event.keywords.get("choice") else None
                self._put(session_id, partial(event, spoken=heard))
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
        state = self._running(session_id)
        if state.talk is not None:
            return hearing.heard_in_talk(state, state.talk.part, text, request_id)
        current = self._open_question(session_id)
        if literally:
            return hearing.answered(current, text, request_id)
        return hearing.heard(state, current, text, request_id)

    def state_confidence(self, session_id: str, answer_id: str, level: Confidence, request_id: str) -> State:
        """Keep how sure the person says that they are of an answer, as long as they cannot know its marks.

        Raises:
            BadInputError: there is no such answer, or its marks are known; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._locked(session_id):
            if not self._happened(session_id, request_id, ConfidenceStated):
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
        with self._locked(session_id):
            if self._happened(session_id, request_id, CodeRan):
                return self._settle(session_id)
            current = self._open_question(session_id)
        task = current.question.task
        if task is None or self._verifier is None:
            raise BadInputError("This question is answered in words; there is no code to run.")
        result = self._verifier.verify(task, source, only_examples=not submit)
        self._verifier.prepare(task)
        with self._locked(session_id):
            event = partial(
                CodeRan,
                id=request_id,
                asked_id=current.asked_id,
                source=source,
                submitted=submit,
                result=result,
            )
            self._put(session_id, event)
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
        with self._locked(session_id):
            if not self._happened(session_id, request_id, HintGiven):
                current = self._open_question(session_id)
                plan = _plan(self.state(session_id))
                if plan.mode is Mode.EXAM:
                    raise BadInputError("This interview is an exam; there are no hints in it.")
                self._put(session_id, hearing.hinted(current, plan, request_id))
            return self._settle(session_id)

    def repeat(self, session_id: str, request_id: str) -> State:
        """Say the open question, or its last follow-up, again.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._locked(session_id):
            if not self._happened(session_id, request_id, QuestionRepeated):
                current = self._open_question(session_id)
                self._put(session_id, hearing.repeated(current, _plan(self.state(session_id)), request_id))
            return self._settle(session_id)

    def skip(self, session_id: str, request_id: str) -> State:
        """Leave the open question, or the part without marks, and go on to the next.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        with self._locked(session_id):
            if self._happened(session_id, request_id, QuestionSkipped, TalkClosed):
                return self._settle(session_id)
            part = self._running(session_id).talk
            if part is not None:
                self._put(session_id, partial(TalkClosed, id=request_id, part=part.part))
                return self._settle(session_id)
            return self._leave(session_id, request_id, QuestionSkipped)

    def go_back(self, session_id: str, request_id: str) -> State:
        """Ask the question that was left last again, as soon as the open one is closed.

        Raises:
            BadInputError: there is none to go back to, or the clock does not allow it; nothing was stored.
            StorageError: the disk refused.

        """
        with self._locked(session_id):
            if not self._happened(session_id, request_id, ReturnWished):
                self._put(session_id, going_back.by_button(self._running(session_id), request_id))
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
        with self._locked(session_id):
            state = self.state(session_id)
            if runs_over(state, self._clock()):
                current = self._open_question(session_id)
                said = talk.time_called()
                event = partial(TimeCalled, id=f"{current.asked_id}:time", asked_id=current.asked_id, said=said)
                self._put(session_id, event)
            return self.state(session_id)

    def end(self, session_id: str, request_id: str) -> State:
        """End the interview now; what was answered is graded all the same.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        with self._locked(session_id):
            _check_request_id(request_id)
            if self.state(session_id).ended is None:
                self._put(session_id, partial(InterviewEnded, id=request_id, reason="ended by the person"))
            self.grade_due(session_id)
            return self._settle(session_id)

    def write_notes(self, session_id: str, text: str, request_id: str) -> None:
        """Keep the person's own notes in the place of those before, also when the interview is over.

        Raises:
            BadInputError: there is no such interview, or they are too long or no text; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        cleaned = clean_notes(text)
        with self._locked(session_id):
            happened = self._happened(session_id, request_id, NotesWritten)
            if not happened and self.state(session_id).notes != cleaned:
                self._put(session_id, partial(NotesWritten, id=request_id, text=cleaned))

    def self_assess(
        self, session_id: str, asked_id: str, criterion_id: str, verdict: OwnVerdict, request_id: str
    ) -> State:
        """Keep the person's own verdict on a criterion that the judge left open; the latest one counts.

        Raises:
            BadInputError: there is no such criterion, it is still being asked about or graded, or the judge was
                sure of it; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._locked(session_id):
            if not self._happened(session_id, request_id, CriterionSelfAssessed):
                check_settling(self.state(session_id), asked_id, criterion_id, verdict)
                event = partial(
                    CriterionSelfAssessed,
                    id=request_id,
                    asked_id=asked_id,
                    criterion_id=criterion_id,
                    verdict=verdict,
                )
                self._put(session_id, event)
            return self.state(session_id)

    def dispute(self, session_id: str, asked_id: str, criterion_id: str, reason: str, request_id: str) -> State:
        """Keep that the person holds a mark to be wrong, and have the point judged a second time.

        Takes as long as judging one point does. Where it cannot be judged now the dispute is kept all the same, and
        ``read_disputed`` tries again.

        Raises:
            BadInputError: there is no such mark, or it is disputed already; nothing was stored.
            StorageError: the disk refused.

        """
        with self._locked(session_id):
            if not self._happened(session_id, request_id, MarkDisputed):
                check_dispute(self.state(session_id), asked_id, criterion_id, reason)
                event = partial(
                    MarkDisputed,
                    id=request_id,
                    asked_id=asked_id,
                    criterion_id=criterion_id,
                    reason=reason.strip(),
                )
                self._put(session_id, event)
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
                with self._locked(session_id):
                    self._put(session_id, partial(second_grade, dispute, question, request, reading))
        return self.state(session_id)

    def advance(self, session_id: str) -> State:
        """Carry out everything that needs no person.

        With a patience this returns at once; without one it waits for the marks of the open question, and of
        an ended interview for all that are due and have not failed.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused; a mark that could not be stored is kept and stored next time.

        """
        while True:
            with self._locked(session_id):
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
        with self._locked(session_id):
            state = self.state(session_id)
            for answer in ungraded(state):
                self._grade(session_id, state, answer)

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
        self._desk.close()
        with self._guard:
            timers, self._timers = self._timers, {}
        for timer in timers.values():
            timer.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _switch(self, session_id: str, request_id: str, kind: type[InterviewPaused | InterviewResumed]) -> State:
        with self._locked(session_id):
            happened = self._happened(session_id, request_id, InterviewPaused, InterviewResumed)
            if not happened and self._running(session_id, paused=True).paused is not (kind is InterviewPaused):
                self._put(session_id, partial(kind, id=request_id))
            return self._settle(session_id)

    def _running(self, session_id: str, *, paused: bool = False) -> State:
        """The state of an interview that is not over, nor paused unless that will do.

        Raises:
            BadInputError: it is.

        """
        state = self.state(session_id)
        if state.ended is not None:
            raise BadInputError("The interview is over; nothing was changed.")
        if state.paused and not paused:
            raise BadInputError("The interview is paused; nothing was changed.", hint="Go on with it first.")
        return state

    def _leave(self, session_id: str, request_id: str, kind: type[QuestionSkipped | QuestionFinished]) -> State:
        """Go on from the open question, for the reason that the kind of event tells."""
        with self._locked(session_id):
            if not self._happened(session_id, request_id, kind):
                current = self._open_question(session_id)
                self._put(session_id, partial(kind, id=request_id, asked_id=current.asked_id))
            return self._settle(session_id)

    def _settle(self, session_id: str) -> State:
        """Carry out actions until it is the person's turn or a mark has to come."""
        while True:
            state = self.state(session_id)
            action = next_action(state)
            if isinstance(action, GradeAnswer):
                question = asked_by_id(state, action.asked_id)
                self._grade(session_id, state, next(a for a in question.answers if a.id == action.answer_id))
                return state
            event = self._event_of(session_id, action, state)
            if event is None:
                return state
            if not self._put(session_id, event) and self.state(session_id) == state:
                raise StorageError(f"Interview {session_id} contradicts itself and cannot go on.")

    def _event_of(self, session_id: str, action: object, state: State) -> Callable[..., Event] | None:
        """The event that an action amounts to, but for its time; ``None`` where there is nothing to do."""
        match action:
            case AskQuestion() | ReturnTo():
                return self._putting(session_id, action, state)
            case AskFollowUp(asked_id=asked_id, kind=kind, criterion_id=criterion_id):
                asked = asked_by_id(state, asked_id)
                graded = asked.grades[-1] if asked.grades else None
                points = asked.question.rubric.criteria if asked.question.rubric else ()
                drilled = next((criterion for criterion in points if criterion.id == criterion_id), None)
                quote = quotation(drilled, graded.grade, graded.graded_text) if graded and drilled else ""
                turn = len(asked.follow_ups)
                point = next_point(asked)
                if point is not None and point.topic == criterion_id:
                    said = point.said
                else:
                    said = phrasing.follow_up(
                        asked.question,
                        kind,
                        criterion_id,
                        quote=quote,
                        turn=turn,
                        seed=_plan(state).seed,
                        doubtful=misheard(graded.grade, criterion_id) if graded else "",
                    )
                return partial(
                    FollowUpAsked,
                    id=f"{asked_id}:follow-up:{turn + 1}",
                    asked_id=asked_id,
                    kind=kind,
                    criterion_id=criterion_id,
                    said=said,
                )
            case ShowCriterion(asked_id=asked_id, criterion_id=criterion_id):
                return self._showing(asked_by_id(state, asked_id), criterion_id, _plan(state))
            case CloseQuestion(asked_id=asked_id):
                again = ":2" if asked_by_id(state, asked_id).returned else ""
                return partial(QuestionClosed, id=f"{asked_id}:closed{again}", asked_id=asked_id)
            case EndInterview(reason=reason):
                return partial(InterviewEnded, id=_ENDED_ID, reason=reason)
            case _:
                return self._event_of_talk(action, state)

    def _event_of_talk(self, action: object, state: State) -> Callable[..., Event] | None:
        """The same for the parts in which nothing is graded."""
        match action:
            case OpenTalk(part=part):
                said = talk.opening(part, _plan(state))
                if part is Part.WARM_UP:
                    said = f"{phrasing.greeting(_plan(state))} {said}"
                return partial(TalkOpened, id=f"talk:{part.name.lower()}", part=part, said=said)
            case Reply(part=part, to_id=to_id):
                return self._replying(part, to_id, state)
            case CloseTalk(part=part):
                return partial(TalkClosed, id=f"talk:{part.name.lower()}:closed", part=part)
            case _:
                return None

    def _showing(self, asked: AskedQuestion, criterion_id: str, plan: Plan) -> Callable[..., Event]:
        rubric = asked.question.rubric
        if rubric is None:
            raise StorageError(f"Question {asked.question.id} was stored without its rubric.")
        turn = len(asked.shown)
        return partial(
            CriterionShown,
            id=f"{asked.asked_id}:shown:{turn + 1}",
            asked_id=asked.asked_id,
            criterion_id=criterion_id,
            said=phrasing.show(rubric.criterion(criterion_id), turn, plan.seed),
        )

    def _replying(self, part: Part, to_id: str, state: State) -> Callable[..., Event]:
        spoken = state.talks[-1].spoken
        text = next((said.text for said in spoken if said.id == to_id), "")
        ready_made = hearing.reply_in_talk(state, text)
        if ready_made:
            return partial(InterviewerReplied, id=f"{to_id}:reply", part=part, to_id=to_id, said=ready_made)
        ready = self._library.complete
        try:
            hits = self._library.search(text, 1) if ready else []
        except InterviewerError as error:
            _log.warning("nothing could be searched for: %s", error)
            hits = []
        found = next((hit.question for hit in hits if hit.similarity >= talk.ON_SUBJECT), None)
        said = talk.reply(text, found, len(spoken) - 1, last=len(spoken) >= MOST_REPLIES, ready=ready)
        return partial(
            InterviewerReplied,
            id=f"{to_id}:reply",
            part=part,
            to_id=to_id,
            said=said,
            place=found.source.place if found else "",
        )

    def _putting(self, session_id: str, action: AskQuestion | ReturnTo, state: State) -> Callable[..., Event]:
        if isinstance(action, ReturnTo):
            return self._returning(asked_by_id(state, action.asked_id), _plan(state))
        return self._asking(session_id, action.number, state)

    def _asking(self, session_id: str, number: int, state: State) -> Callable[..., Event]:
        plan = _plan(state)
        chosen = self._selection.choose(session_id, number, plan, state)
        if chosen is None:
            back = returning.noted(state)
            if back is not None:
                return self._returning(back, plan)
            return partial(InterviewEnded, id=_ENDED_ID, reason="no questions left")
        question = chosen.question
        self._make_ready(question, plan)
        before = state.latest
        after_skip = before is not None and before.skipped
        overran = before is not None and not after_skip and (before.time_called or is_over(before, plan))
        lead_in = talk.lead_in(number=number, warmed_up=bool(state.talks), overran=overran, seed=plan.seed)
        return partial(
            QuestionAsked,
            id=f"question:{number}",
            number=number,
            question=question,
            said=phrasing.ask(
                question, number, plan, after_skip=after_skip, later=bool(before and before.later), lead_in=lead_in
            ),
            why=chosen.why,
        )

    def _returning(self, asked: AskedQuestion, plan: Plan) -> Callable[..., Event]:
        self._make_ready(asked.question, plan)
        return going_back.returned(asked, plan)

    def _make_ready(self, question: Question, plan: Plan) -> None:
        """Bring up what runs the code of a question that is about to be asked."""
        if question.task is not None and plan.editor and self._verifier is not None:
            self._verifier.prepare(question.task)

    def _grade(self, session_id: str, state: State, answer: AnswerGiven) -> Future[None]:
        """Have an answer graded in the background; what comes of it is appended from there."""
        asked = asked_by_id(state, answer.asked_id)
        request = grade_request(asked, answer.id)
        if self._patience_s is not None:
            self._lose_patience_in(self._patience_s, session_id, answer)
        return self._desk.submit(
            (session_id, answer.id),
            request,
            done=partial(self._graded, session_id, answer, asked.question, request.answer),
            failed=partial(self._not_graded, session_id, answer),
        )

    def _graded(self, session_id: str, answer: AnswerGiven, question: Question, text: str, grade: Grade) -> None:
        event = partial(
            AnswerGraded,
            id=f"{answer.id}:graded",
            asked_id=answer.asked_id,
            answer_id=answer.id,
            graded_text=text,
            grade=fair(grade, question),
        )
        self._report(session_id, answer, event)

    def _not_graded(self, session_id: str, answer: AnswerGiven, reason: str) -> None:
        self._report(session_id, answer, _failure(answer, reason))

    def _report(self, session_id: str, answer: AnswerGiven, event: Callable[..., Event]) -> None:
        with self._locked(session_id):
            if self._desk.closing:
                return
            self._stop_timer((session_id, answer.id))
            self._put(session_id, event)
            self._settle(session_id)

    def _lose_patience_in(self, seconds: float, session_id: str, answer: AnswerGiven) -> None:
        key = (session_id, answer.id)
        timer = threading.Timer(seconds, self._lose_patience, (session_id, answer, seconds))
        timer.daemon = True
        with self._guard:
            if key in self._timers or self._desk.closing:
                return
            self._timers[key] = timer
        timer.start()

    def _lose_patience(self, session_id: str, answer: AnswerGiven, seconds: float) -> None:
        self._stop_timer((session_id, answer.id))
        waiting = GradeAnswer(asked_id=answer.asked_id, answer_id=answer.id)
        reason = f"No mark came within {seconds:g} seconds; it is added when it comes."
        try:
            with self._locked(session_id):
                if not self._desk.closing and next_action(self.state(session_id)) == waiting:
                    self._put(session_id, _failure(answer, reason))
                    self._settle(session_id)
        except StorageError as error:
            # The next request meets the same disk and tells the person.
            _log.warning("interview %s could not go on: %s", session_id, error)

    def _stop_timer(self, key: tuple[str, str]) -> None:
        with self._guard:
            timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()

    def _waited_for(self, session_id: str, state: State) -> list[Future[None]]:
        """The gradings that an interview without patience waits for."""
        action = next_action(state)
        failed = {failure.answer_id for asked in state.asked for failure in asked.failures}
        due = [
            answer
            for answer in ungraded(state)
            if (isinstance(action, GradeAnswer) and answer.id == action.answer_id)
            or ((state.ended is not None or answer.meanwhile) and answer.id not in failed)
        ]
        return [self._grade(session_id, state, answer) for answer in due]

    def _events(self, session_id: str) -> tuple[Event, ...]:
        events = self._journal.events(session_id)
        if not events:
            raise BadInputError(f"There is no interview {session_id}.")
        return events

    def _happened(self, session_id: str, request_id: str, *kinds: type[Event]) -> bool:
        """Whether that request was carried out already.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request of another kind.

        """
        _check_request_id(request_id)
        for event in self._events(session_id):
            if event.id == request_id:
                if not isinstance(event, kinds):
                    raise BadInputError(f"The request id {request_id} was used for something else.")
                return True
        return False

    def _said_before(self, session_id: str, request_id: str) -> bool:
        """Whether the person's words of that request were taken already, as whatever they were.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request that was not made in words.

        """
        if not self._happened(session_id, request_id, PersonSpoke, *hearing.BY_WORDS):
            return False
        event = next(event for event in self._events(session_id) if event.id == request_id)
        if not isinstance(event, PersonSpoke) and hearing.words_of(event) is None:
            raise BadInputError(f"The request id {request_id} was used for something else.")
        return True

    def _grade_unawaited(self, session_id: str, request_id: str) -> None:
        """Have graded what nobody waits for and counts all the same: unfinished thoughts, and what mends an answer."""
        state = self.state(session_id)
        for answer in ungraded(state):
            if answer.id == request_id and (answer.unfinished or answer.meanwhile):
                self._grade(session_id, state, answer)

    def _keep_confidence(
        self, session_id: str, asked_id: str, answer_id: str, level: Confidence, event_id: str
    ) -> None:
        event = partial(ConfidenceStated, id=event_id, asked_id=asked_id, answer_id=answer_id, level=level)
        self._put(session_id, event)

    def _open_question(self, session_id: str) -> AskedQuestion:
        state = self._running(session_id)
        if state.current is None:
            raise BadInputError("No question is open just now.", hint="Continue the interview first.")
        return state.current

    def _put(self, session_id: str, event: Callable[..., Event]) -> bool:
        """Append an event with a time after all others, whatever the machine's clock does."""
        now = self._clock()
        last = self._journal.last_at(session_id)
        if last is not None:
            now = max(now, last + timedelta(microseconds=1))
        return self._journal.append(session_id, event(at=now))

    def _locked(self, session_id: str) -> AbstractContextManager[object]:
        with self._guard:
            return self._locks.setdefault(session_id, threading.RLock())


def runs_over(state: State, now: datetime) -> bool:
    """Whether it is the person's turn, the time for the open question is used up, and nobody has said so yet."""
    question, plan = state.current, state.plan
    if question is None or plan is None or question.time_called or not isinstance(next_action(state), Listen):
        return False
    more = since_last(state, now)
    left = left_s(state)
    return is_over(question, plan, more) or (left is not None and left <= more)


def _failure(answer: AnswerGiven, reason: str) -> Callable[..., Event]:
    return partial(
        GradingFailed,
        id=f"{answer.id}:failed",
        asked_id=answer.asked_id,
        answer_id=answer.id,
        reason=reason,
    )


def _plan(state: State) -> Plan:
    if state.plan is None:
        raise StorageError("The interview has no beginning in its journal.")
    return state.plan


def _check_request_id(request_id: str) -> None:
    # Ids with a colon are our own: those of what follows from a request are made from its id.
    if not request_id or len(request_id) > 150 or ":" in request_id:
        raise BadInputError("A request id has 1 to 150 characters and no colon.", hint="Reload the page and try again.")
