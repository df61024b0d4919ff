"""Work that must be done before everything is there, done in the background and told step by step."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Literal

from serving.errors import InterviewerError
from serving.frozen import FrozenModel
from serving.progress import Progress

log = logging.getLogger(__name__)

PAUSES_S = (2.0, 5.0, 15.0, 30.0, 60.0)
"""Pauses before the first, second, … new try of a step that failed; the last one is kept."""


class Step(FrozenModel):
    """One piece of the work.

    Attributes:
        name: what it brings, for the person.
        state: where it stands.
        detail: what is being done just now.
        progress: share done, 0 to 1; ``None`` when that is not known.
        message: why it failed and what to do, when it failed.
    """

    name: str
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    detail: str = ""
    progress: float | None = None
    message: str = ""


class Warmup:
    """Runs jobs one after the other; in the background, one that fails is tried again until it is done.

    Args:
        jobs: name and work of each; the work is given a ``Progress`` to tell what it does.
        pauses_s: seconds before the first, second, … new try; the last one is kept.
    """

    def __init__(
        self, jobs: Sequence[tuple[str, Callable[[Progress], object]]], pauses_s: Sequence[float] = PAUSES_S
    ) -> None:
        self._jobs, self._pauses_s = tuple(jobs), tuple(pauses_s)
        self._steps = [Step(name=name) for name, _ in jobs]
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def steps(self) -> tuple[Step, ...]:
        """Where each step stands now."""
        with self._lock:
            return tuple(self._steps)

    def start(self) -> None:
        """Begin in the background; a second call while it runs changes nothing."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run_until_done, name="warmup", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Begin no further step and no new try; the step that runs is not waited for."""
        self._stopped.set()

    def run(self) -> None:
        """Do everything that is not done yet, here and now, until stopped.

        Raises:
            InterviewerError: a step failed; it is told in ``steps`` too.
        """
        for number, (_, work) in enumerate(self._jobs):
            if self.steps()[number].state == "done":
                continue
            if self._stopped.is_set():
                return
            self._update(number, state="running", message="", progress=None)
            try:
                work(self._progress(number))
            except InterviewerError as error:
                self._update(number, state="failed", message=str(error))
                raise
            self._update(number, state="done", detail="", progress=1.0)

    def _run_until_done(self) -> None:
        tries = 0
        while not self._stopped.is_set():
            pause = self._pauses_s[min(tries, len(self._pauses_s) - 1)]
            try:
                self.run()
            except InterviewerError as error:
                log.warning("%s", error)
                self._tell_failure(str(error), pause)
            except Exception as error:
                log.exception("a step of the start-up broke")
                self._tell_failure(f"Something unexpected went wrong: {error}.", pause)
            else:
                return
            tries += 1
            self._stopped.wait(pause)

    def _tell_failure(self, message: str, pause: float) -> None:
        number = next(number for number, step in enumerate(self.steps()) if step.state in {"running", "failed"})
        self._update(number, state="failed", message=f"{message} The next try is in {pause:g} s.")

    def _progress(self, number: int) -> Progress:
        def tell(detail: str, share: float | None = None) -> None:
            self._update(number, detail=detail, progress=share)

        return tell

    def _update(self, number: int, **changes: object) -> None:
        with self._lock:
            self._steps[number] = self._steps[number].model_copy(update=changes)
