"""Grades answers in the background and does not give up while trying again may help."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial

from tenacity import (
    Retrying,
    retry_if_exception,
    sleep_using_event,
    stop_after_delay,
    stop_when_event_set,
    wait_exponential_jitter,
)

from rubric.grading.grader import Grader, GradeRequest
from rubric.model import Criterion, Grade
from serving import metrics, traces
from serving.errors import DamagedError, InterviewerError, ServiceMissingError, StorageError, is_retryable

_log = logging.getLogger(__name__)

Key = tuple[str, str]
"""Session id and answer id: what is graded once at a time."""


PATIENCE_S = 60.0
"""Seconds that an answer is tried again for while the judge is away, where somebody waits for a whole interview."""


def grade_patiently(grader: Grader, request: GradeRequest, patience_s: float) -> Grade:
    """Grade here and now, trying again for so long while that may help.

    Raises:
        InterviewerError: it could not be graded; a retryable one when patience ran out.

    """
    tries = Retrying(
        retry=retry_if_exception(is_retryable),
        wait=wait_exponential_jitter(multiplier=0.2, max=5.0, jitter=0.2),
        stop=stop_after_delay(patience_s),
        reraise=True,
    )
    with metrics.GRADING_S.time():
        return tries(read, grader, request)


def read(grader: Grader, request: GradeRequest) -> Grade:
    """Have a grader read an answer, once.

    Raises:
        InterviewerError: see ``Grader.grade``.

    """
    with traces.span("answer.read", {"criteria.count": len(request.rubric.criteria)}):
        return grader.grade(request)


def may_pass(error: InterviewerError) -> bool:
    """Whether an error is about the judge or the database, and not about what is graded."""
    away = isinstance(error, StorageError | ServiceMissingError) and not isinstance(error, DamagedError)
    return away or is_retryable(error)


class GradingQueue:
    """Takes answers to be graded and reports each mark to whoever brought the answer.

    Failures that may pass (``InterviewerError.retryable``) are tried again with back-off until they do or the
    queue is closed. A mark that could not be stored is kept and handed over again at the next ``submit``.

    Args:
        grader: does the grading.
        workers: how many answers are graded at once.

    """

    def __init__(self, grader: Grader, *, workers: int = 2) -> None:
        self._grader = grader
        self._lock = threading.Lock()
        self._running: dict[Key, Future[None]] = {}
        self._kept: dict[Key, Grade] = {}
        self._closing = threading.Event()
        self._jobs: queue.SimpleQueue[tuple[Future[None], Callable[[], None]] | None] = queue.SimpleQueue()
        # Daemons, unlike the threads of an executor: leaving the program must not wait for a grader that hangs.
        self._workers = [
            threading.Thread(target=self._serve, name=f"grading-{number}", daemon=True) for number in range(workers)
        ]
        self._drafts: dict[str, tuple[GradeRequest, Callable[[], object] | None]] = {}
        self._drafted: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        reader = threading.Thread(target=self._read_drafts, name="reading-ahead", daemon=True)
        for thread in (*self._workers, reader):
            thread.start()

    @property
    def closing(self) -> bool:
        """Whether the queue was closed: nothing is reported any more."""
        return self._closing.is_set()

    def submit(
        self,
        key: Key,
        request: GradeRequest,
        done: Callable[[Grade], None],
        failed: Callable[[str], None],
        overtaken: Callable[[], bool] = lambda: False,
        *,
        question_id: str = "",
    ) -> Future[None]:
        """Have an answer graded; the same answer is graded once at a time.

        Args:
            key: names the answer.
            request: what is graded.
            overtaken: tells, when the answer's turn has come, whether somebody else has graded it meanwhile.
            done: gets the mark, on a thread of the queue.
            failed: gets the reason, in a sentence, when trying again would not help.
            question_id: what the answer is to, for its trace.

        Returns:
            Done when the mark or the failure was handed over; carries what ``done`` or ``failed`` raised.

        """
        with self._lock:
            running = self._running.get(key)
            if running is not None:
                return running
            future: Future[None] = Future()
            if self._closing.is_set():
                _cancel(future)
                return future
            self._running[key] = future
            metrics.GRADING_OPEN.inc()
            future.add_done_callback(partial(self._forget, key))
            work = partial(self._work, key, request, done, failed, overtaken)
            self._jobs.put((future, partial(_told, key[0], question_id, traces.here(), traces.now(), work)))
        return future

    def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
        """Have the grader do in the background what is the same for every answer to a question."""
        self._jobs.put((Future(), partial(self._prepare, traces.here(), question, criteria)))

    def read_ahead(self, session_id: str, request: GradeRequest, then: Callable[[], object] | None = None) -> None:
        """Have an answer that is still being given read in the background, while nobody waits for a mark.

        Args:
            session_id: whose answer it is; of each only the latest is read.
            request: with what was said so far.
            then: what else to read of it afterwards, where nobody waits for a mark by then.

        """
        with self._lock:
            waits = session_id in self._drafts
            self._drafts[session_id] = request, then
        if not waits:
            self._drafted.put(session_id)

    def close(self) -> None:
        """Stop taking and reporting; what is being graded this moment is dropped and due again."""
        with self._lock:
            self._closing.set()
            for _ in self._workers:
                self._jobs.put(None)
            self._drafted.put(None)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, work = job
            if self._closing.is_set():
                _cancel(future)
                continue
            try:
                work()
            except Exception as error:  # noqa: BLE001 - goes to whoever waits for the future
                future.set_exception(error)
            else:
                future.set_result(None)

    def _work(
        self,
        key: Key,
        request: GradeRequest,
        done: Callable[[Grade], None],
        failed: Callable[[str], None],
        overtaken: Callable[[], bool],
    ) -> None:
        with self._lock:
            grade = self._kept.get(key)
        if grade is None:
            if overtaken():
                return
            try:
                grade = self._grade(request)
            except InterviewerError as error:
                if not self._closing.is_set():
                    _log.warning("answer %s of %s was not graded: %s", key[1], key[0], error)
                    failed(str(error))
                return
            except Exception:  # noqa: BLE001 - a fault in a grader must not strand the interview
                _log.exception("grading answer %s of %s broke", key[1], key[0])
                failed("Grading failed on this answer through a fault of this program; the log says where.")
                return
            with self._lock:
                self._kept[key] = grade
        if self._closing.is_set():
            return
        done(grade)
        with self._lock:
            self._kept.pop(key, None)

    def _prepare(self, place: traces.Place, question: str, criteria: Sequence[Criterion]) -> None:
        try:
            with traces.back_at(place), traces.span("question.prepare", {"criteria.count": len(criteria)}):
                self._grader.prepare(question, criteria)
        except Exception:  # noqa: BLE001 - the grade will meet the same and tell the person
            _log.info("nothing could be prepared for grading answers to a question", exc_info=True)

    def _read_drafts(self) -> None:
        while (session_id := self._drafted.get()) is not None:
            with self._lock:
                request, then = self._drafts.pop(session_id)
            stop = partial(self._is_wanted, session_id)
            if stop():
                continue
            try:
                with traces.about(session_id), traces.span("draft.read"):
                    self._grader.read_ahead(request, stop)
                    if then is not None and not stop():
                        then()
            except Exception:  # noqa: BLE001 - the grade will meet the same and tell the person
                _log.info("an answer of %s could not be read ahead", session_id, exc_info=True)

    def _is_wanted(self, session_id: str) -> bool:
        """Whether something else is to be read now: an answer that somebody waits for, or what was said since."""
        with self._lock:
            return self._closing.is_set() or bool(self._running) or session_id in self._drafts

    def _grade(self, request: GradeRequest) -> Grade:
        tries = Retrying(
            retry=retry_if_exception(is_retryable),
            wait=wait_exponential_jitter(multiplier=0.2, max=15.0, jitter=0.2),
            sleep=sleep_using_event(self._closing),
            stop=stop_when_event_set(self._closing),
            reraise=True,
        )
        with metrics.GRADING_S.time():
            return tries(read, self._grader, request)

    def _forget(self, key: Key, future: Future[None]) -> None:
        with self._lock:
            self._running.pop(key, None)
        metrics.GRADING_OPEN.dec()
        if not future.cancelled() and (error := future.exception()) is not None:
            _log.warning("the mark of answer %s of %s could not be used: %s", key[1], key[0], error)


def _told(session_id: str, question_id: str, place: traces.Place, since: int, work: Callable[[], None]) -> None:
    """Does what was queued, as a part of the request that queued it."""
    told = {traces.QUESTION: question_id} if question_id else {}
    with traces.back_at(place), traces.about(session_id), traces.span("answer.grade", told):
        traces.past("answer.wait", since)
        work()


def _cancel(future: Future[None]) -> None:
    future.cancel()
    future.set_running_or_notify_cancel()
