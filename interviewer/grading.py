"""Grades answers in the background and does not give up while trying again may help."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from rubric.grader import Grader, GradeRequest
from tenacity import (
    Retrying,
    retry_if_exception,
    sleep_using_event,
    stop_when_event_set,
    wait_exponential_jitter,
)

from rubric.model import Grade
from serving.errors import InterviewerError

_log = logging.getLogger(__name__)

Key = tuple[str, str]
"""Session id and answer id: what is graded once at a time."""


class GradingDesk:
    """Takes answers to be graded and reports each mark to whoever brought the answer.

    Failures that may pass (``InterviewerError.retryable``) are tried again with back-off until they do or the
    desk closes. A mark that could not be stored is kept and handed over again at the next ``submit``.

    Args:
        grader: does the grading.
        workers: how many answers are graded at once.

    """

    def __init__(self, grader: Grader, *, workers: int = 2) -> None:
        self._grader = grader
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="grading")
        self._lock = threading.Lock()
        self._running: dict[Key, Future[None]] = {}
        self._kept: dict[Key, Grade] = {}
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the desk was closed: nothing is reported any more."""
        return self._closing.is_set()

    def submit(
        self, key: Key, request: GradeRequest, done: Callable[[Grade], None], failed: Callable[[str], None]
    ) -> Future[None]:
        """Have an answer graded; the same answer is graded once at a time.

        Args:
            key: names the answer.
            request: what is graded.
            done: gets the mark, on a thread of the desk.
            failed: gets the reason, in a sentence, when trying again would not help.

        Returns:
            Done when the mark or the failure was handed over; carries what ``done`` or ``failed`` raised.

        """
        with self._lock:
            running = self._running.get(key)
            if running is not None:
                return running
            if self._closing.is_set():
                return _cancelled()
            future = self._pool.submit(self._work, key, request, done, failed)
            self._running[key] = future
        future.add_done_callback(partial(self._forget, key))
        return future

    def close(self) -> None:
        """Stop taking and reporting; what is being graded this moment is dropped and due again."""
        self._closing.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(
        self, key: Key, request: GradeRequest, done: Callable[[Grade], None], failed: Callable[[str], None]
    ) -> None:
        with self._lock:
            grade = self._kept.get(key)
        if grade is None:
            try:
                grade = self._grade(request)
            except InterviewerError as error:
                if not self._closing.is_set():
                    _log.warning("answer %s of %s was not graded: %s", key[1], key[0], error)
                    failed(str(error))
                return
            except Exception:  # noqa: BLE001 - a fault in a grader must not strand the interview
                _log.exception("grading answer %s of %s broke", key[1], key[0])
                failed("The grader broke on this answer; the log says where.")
                return
            with self._lock:
                self._kept[key] = grade
        if self._closing.is_set():
            return
        done(grade)
        with self._lock:
            self._kept.pop(key, None)

    def _grade(self, request: GradeRequest) -> Grade:
        tries = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, InterviewerError) and error.retryable),
            wait=wait_exponential_jitter(initial=0.2, max=15.0, jitter=0.2),
            sleep=sleep_using_event(self._closing),
            stop=stop_when_event_set(self._closing),
            reraise=True,
        )
        return tries(self._grader.grade, request)

    def _forget(self, key: Key, future: Future[None]) -> None:
        with self._lock:
            self._running.pop(key, None)
        if not future.cancelled() and (error := future.exception()) is not None:
            _log.warning("the mark of answer %s of %s could not be used: %s", key[1], key[0], error)


def _cancelled() -> Future[None]:
    future: Future[None] = Future()
    future.cancel()
    future.set_running_or_notify_cancel()
    return future
