"""Marks as they come: answers are graded in the background, and an interview waits for each only so long."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import NamedTuple

from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.grading_queue import GradingQueue, Key, grade_patiently, may_pass
from interviewer.engine.session_store import OpenSession, SessionStore
from interviewer.policy.actions import GradeAnswer
from interviewer.policy.next_action import next_action
from interviewer.scoring.grade_requests import grade_request, request_so_far, without_flagged_contradictions
from interviewer.scoring.withdrawn import with_doubt_about_withdrawn
from interviewer.session.events import AnswerGiven, AnswerGraded, Event, GradingFailed
from interviewer.session.queries import asked_by_id, point_asked_for, ungraded
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Question
from rubric.grading.grader import Grader, GradeRequest
from rubric.model import Grade, Span
from serving import traces
from serving.errors import DamagedError, InterviewerError, NewerError, StorageError

_log = logging.getLogger(__name__)

AGAIN_S = 5.0
"""Seconds until what the disk refused is stored again, where nobody waits for it."""

BEHIND = 0.25
"""Share of the usual patience while an earlier answer of the session still waits for its mark: the judge is slow then,
and the person would wait in vain after every answer."""


def resting_on(grade: Grade, words: Mapping[str, Span]) -> Grade:
    """The grade, with the evidence of some verdicts replaced by the words that they rest on, by criterion id."""
    verdicts = (
        each.model_copy(update={"evidence": (words[each.id],)}) if each.id in words else each for each in grade.criteria
    )
    return grade.model_copy(update={"criteria": tuple(verdicts)})


class Said(NamedTuple):
    """What is to be graded.

    Attributes:
        answer: the answer.
        question: what it answers.
        text: all that was said on it so far, up to the answer.
        about: the id of the criterion that the follow-up before the answer was about; empty where there was none.

    """

    answer: AnswerGiven
    question: Question
    text: str
    about: str


class _Due(NamedTuple):
    """An answer that has no mark, and what is read of it to give it one."""

    said: Said
    request: GradeRequest


def _waits(state: State, answer: AnswerGiven) -> bool:
    """Whether an answer has no mark yet."""
    return any(other.id == answer.id for other in ungraded(state))


def _due(state: State, answer: AnswerGiven) -> _Due:
    """Raises ``StorageError`` where its question was stored without a rubric."""
    asked = asked_by_id(state, answer.asked_id)
    request = grade_request(asked, answer.id)
    return _Due(Said(answer, asked.question, request.answer, point_asked_for(asked, answer)), request)


def _mark(reader: AnswerReader, said: Said, grade: Grade) -> Callable[[datetime], AnswerGraded]:
    """Makes the event of a mark, given when, with what was read of the answer besides."""
    answer, question, text, about = said
    with traces.span("answer.claims"):
        opposing = reader.opposing_words(question, text, grade)
        grade = resting_on(grade, opposing)
        nearest = reader.nearest(question, text, grade, opposing)
        trusted = without_flagged_contradictions(grade, question)
        claims = reader.doubted(question, text)

    def event(at: datetime) -> AnswerGraded:
        return AnswerGraded(
            id=f"{answer.id}:graded",
            at=at,
            asked_id=answer.asked_id,
            answer_id=answer.id,
            graded_text=text,
            grade=with_doubt_about_withdrawn(trusted, text, answer.text, about),
            nearest=nearest,
            claims=claims,
        )

    return event


def _failure(reader: AnswerReader, said: Said, *, late: bool = False) -> Callable[[str, datetime], GradingFailed]:
    """Makes the event of a mark that did not come, given why and when, with what the next follow-up goes by."""
    nearest = reader.nearest(said.question, said.text)

    def failure(reason: str, at: datetime) -> GradingFailed:
        answer = said.answer
        return GradingFailed(
            id=f"{answer.id}:failed",
            at=at,
            asked_id=answer.asked_id,
            answer_id=answer.id,
            reason=reason,
            nearest=nearest,
            late=late,
        )

    return failure


def grade_left_over(
    session_id: str, store: SessionStore, grader: Grader, reader: AnswerReader, patience_s: float
) -> int:
    """Grade here and now each answer of an interview that has no mark, those included whose grading failed.

    Nothing else goes on in the interview: it does so where it is opened, which may be elsewhere.

    Args:
        session_id: the interview's.
        store: opens it.
        grader: grades.
        reader: reads what else a mark tells of an answer.
        patience_s: how long an answer is tried again for while the judge is away.

    Returns:
        How many marks are new.

    Raises:
        InterviewerError: the rest can be graded later (``grading_queue.may_pass``), if need be by a worker of a newer
            version, or the interview is none that can be; what was graded until then is stored.

    """
    with store.open(session_id) as session:
        due = [_due(session.state, answer) for answer in session.due()]
    graded = 0
    for said, request in due:
        event: Callable[[datetime], Event]
        try:
            event = _mark(reader, said, grade_patiently(grader, request, patience_s))
        except InterviewerError as error:
            if may_pass(error):
                raise
            event = partial(_failure(reader, said), str(error))
        with store.open(session_id) as session:
            # A page may have been faster, and marks count once.
            if _waits(session.state, said.answer):
                made = event(session.now())
                graded += session.append(made) and isinstance(made, AnswerGraded)
    return graded


class GradingCoordinator:
    """Has answers graded and appends what comes of it.

    Args:
        queue: does the grading.
        store: opens sessions, which marks are appended to.
        patience_s: how long an interview waits for a mark before it goes on without; ``None`` for as long as it takes.
        go_on: lets an interview go on that a mark came for, or whose patience is over; called with the open session.
        reader: finds the words that come nearest to each point, and the statements that one speaks against.

    """

    def __init__(
        self,
        queue: GradingQueue,
        store: SessionStore,
        patience_s: float | None,
        go_on: Callable[[OpenSession], object],
        reader: AnswerReader,
    ) -> None:
        self._queue = queue
        self._store = store
        self._patience_s = patience_s
        self._go_on = go_on
        self._reader = reader
        self._guard = threading.Lock()
        self._timers: dict[Key, threading.Timer] = {}

    def prepare(self, question: Question) -> None:
        """Have all that needs no answer done in the background for grading a question that is about to be asked."""
        if question.rubric is not None:
            self._queue.prepare(question.text, question.rubric.criteria)

    def read_ahead(self, session_id: str, asked: AskedQuestion, finished: str) -> None:
        """Have an answer in the making read as far as it goes, so that its mark comes sooner.

        Args:
            session_id: the interview's.
            asked: the question that is being answered.
            finished: the sentences of the next answer that were finished so far.

        """
        request = request_so_far(asked, finished)
        if request is not None:
            more = partial(self._reader.read_ahead, asked.question, request.answer)
            self._queue.read_ahead(session_id, request, more)

    def order(self, session_id: str, state: State, answer: AnswerGiven) -> Future[None]:
        """Have an answer graded; what comes of it is appended from the thread that graded it.

        Returns:
            Done when the mark, or that there is none, was appended.

        Raises:
            StorageError: its question was stored without a rubric.

        """
        said, request = _due(state, answer)
        if self._patience_s is not None:
            behind = any(other.id != answer.id for other in ungraded(state))
            self._lose_patience_in(self._patience_s * (BEHIND if behind else 1.0), session_id, said)
        return self._queue.submit(
            (session_id, answer.id),
            request,
            done=partial(self._graded, session_id, said),
            failed=partial(self._not_graded, session_id, said),
            overtaken=partial(self._overtaken, session_id, said.answer),
            question_id=said.question.id,
        )

    def close(self) -> None:
        """Stop grading; what is ungraded stays due. Nothing is appended any more."""
        self._queue.close()
        with self._guard:
            timers, self._timers = self._timers, {}
        for timer in timers.values():
            timer.cancel()

    def _graded(self, session_id: str, said: Said, grade: Grade) -> None:
        self._report(session_id, said.answer, _mark(self._reader, said, grade))

    def _overtaken(self, session_id: str, answer: AnswerGiven) -> bool:
        """Whether a worker or another page has marked an answer that waits here; the interview then goes on."""
        try:
            if _waits(self._store.state(session_id), answer):
                return False
            with self._store.open(session_id) as session:
                if not self._queue.closing:
                    self._stop_timer((session_id, answer.id))
                    self._go_on(session)
        except StorageError:
            # Storing the mark meets the same disk, and it is kept until that is back.
            return False
        return True

    def _not_graded(self, session_id: str, said: Said, reason: str) -> None:
        self._report(session_id, said.answer, partial(_failure(self._reader, said), reason))

    def _report(self, session_id: str, answer: AnswerGiven, event: Callable[[datetime], Event]) -> None:
        key = session_id, answer.id
        try:
            with self._store.open(session_id) as session:
                if self._queue.closing:
                    return
                self._stop_timer(key)
                session.append(event(session.now()))
                self._go_on(session)
        except (DamagedError, NewerError):
            raise
        except StorageError:
            # A database that is away cannot even be read, so the mark is still waited for here.
            self._stop_timer(key)
            if self._patience_s is not None:
                self._start_timer(AGAIN_S, key, partial(self._again, session_id, answer, event))
            raise

    def _again(self, session_id: str, answer: AnswerGiven, event: Callable[[datetime], Event]) -> None:
        """Stores what the disk refused: the session waits for it, and the person may have nothing to do meanwhile."""
        try:
            self._report(session_id, answer, event)
        except StorageError as error:
            _log.warning("interview %s could not go on: %s", session_id, error)

    def _lose_patience_in(self, seconds: float, session_id: str, said: Said) -> None:
        self._start_timer(
            seconds, (session_id, said.answer.id), partial(self._lose_patience, session_id, said, seconds)
        )

    def _start_timer(self, seconds: float, key: Key, then: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, then)
        timer.daemon = True
        with self._guard:
            if key in self._timers or self._queue.closing:
                return
            self._timers[key] = timer
        timer.start()

    def _lose_patience(self, session_id: str, said: Said, seconds: float) -> None:
        with traces.about(session_id), traces.span("answer.late", {traces.QUESTION: said.question.id}):
            self._go_on_without(session_id, said, seconds)

    def _go_on_without(self, session_id: str, said: Said, seconds: float) -> None:
        answer = said.answer
        self._stop_timer((session_id, answer.id))
        failure = _failure(self._reader, said, late=True)
        waiting = GradeAnswer(asked_id=answer.asked_id, answer_id=answer.id)
        reason = f"No mark came within {seconds:g} seconds; it is added when it comes."
        try:
            with self._store.open(session_id) as session:
                if not self._queue.closing and next_action(session.state) == waiting:
                    session.append(failure(reason, session.now()))
                    self._go_on(session)
        except StorageError as error:
            # The next request meets the same disk and tells the person.
            _log.warning("interview %s could not go on: %s", session_id, error)
            if not isinstance(error, DamagedError | NewerError):
                self._lose_patience_in(AGAIN_S, session_id, said)

    def _stop_timer(self, key: Key) -> None:
        with self._guard:
            timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
