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
    """Runs jobs one after the other; the first that fails stops the rest.

    Args:
        jobs: name and work of each; the work is given a ``Progress`` to tell what it does.
    """

    def __init__(self, jobs: Sequence[tuple[str, Callable[[Progress], object]]]) -> None:
        self._jobs = tuple(jobs)
        self._steps = [Step(name=name) for name, _ in jobs]
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self.error: InterviewerError | None = None

    def steps(self) -> tuple[Step, ...]:
        """Where each step stands now."""
        with self._lock:
            return tuple(self._steps)

    def start(self) -> None:
        """Begin in the background; a second call while it runs changes nothing, one after a failure tries again."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run_quietly, name="warmup", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Begin no further step; the one that runs is not waited for."""
        self._stopped.set()

    def run(self) -> None:
        """Do everything that is not done yet, here and now, until stopped.

        Raises:
            InterviewerError: a step failed; it is told in ``steps`` too.
        """
        self.error = None
        for number, (_, work) in enumerate(self._jobs):
            if self.steps()[number].state == "done":
                continue
            if self._stopped.is_set():
                return
            self._update(number, state="running", message="", progress=None)
            try:
                work(self._progress(number))
            except InterviewerError as error:
                self.error = error
                self._update(number, state="failed", message=str(error))
                raise
            self._update(number, state="done", detail="", progress=1.0)

    def _run_quietly(self) -> None:
        try:
            self.run()
        except InterviewerError as error:
            log.warning("%s", error)
        except Exception as error:
            log.exception("a step of the start-up broke")
            running = [number for number, step in enumerate(self.steps()) if step.state == "running"]
            for number in running:
                self._update(number, state="failed", message=f"Something unexpected went wrong: {error}")

    def _progress(self, number: int) -> Progress:
        def tell(detail: str, share: float | None = None) -> None:
            self._update(number, detail=detail, progress=share)

        return tell

    def _update(self, number: int, **changes: object) -> None:
        with self._lock:
            self._steps[number] = self._steps[number].model_copy(update=changes)
