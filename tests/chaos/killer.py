"""Kills one process at one moment of an interview, and notes what stood in the journal then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random

import psutil

from interviewer.session.events import Event
from tests.chaos.moments import Moment, Victim
from tests.chaos.stage import PATIENCE_S, Stage


class Killer:
    """Kills on a thread of its own; a context in which an interview is held.

    Args:
        stage: where.
        session: the interview.
        moment: when, and what.
        events: of the undisturbed interview, how many.
        victim: finds the process; ``None`` while it is not there.

    """

    def __init__(
        self, stage: Stage, session: str, moment: Moment, events: int, victim: Callable[[], psutil.Process | None]
    ) -> None:
        self._stage, self._session, self._moment, self._find = stage, session, moment, victim
        # From the first event on: before it, the app that is to hold the interview may still be starting.
        self._after = max(1, int(moment.share * events))
        self.coding = threading.Event()
        self.over = threading.Event()
        self.killed = 0
        self.left: tuple[Event, ...] = ()
        self._thread = threading.Thread(target=self._work, name="killer", daemon=True)

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._thread.join(PATIENCE_S)

    def _work(self) -> None:
        with self._stage.journal() as journal:
            while not self._is_time(len(journal.events(self._session))):
                if self.over.wait(0.02):
                    return
            time.sleep(self._moment.delay_s)
            while not self.over.is_set():
                process = self._find()
                if process is None or not process.is_running():
                    time.sleep(0.02)
                    continue
                self._stage.remember()
                try:
                    process.kill()
                except psutil.NoSuchProcess:
                    # It came to its end just now; the next one is as good.
                    continue
                self.left = journal.events(self._session)
                self.killed = process.pid
                return

    def _is_time(self, events: int) -> bool:
        return self.coding.is_set() if self._moment.victim is Victim.WORKER else events >= self._after


def victim_of(stage: Stage, moment: Moment, seed: int) -> Callable[[], psutil.Process | None]:
    """Returns what finds the process that a moment is about, but for a browser's."""
    rng = Random(seed)

    def worker() -> psutil.Process | None:
        found = stage.workers()
        return rng.choice(found) if found else None

    def app() -> psutil.Process | None:
        return psutil.Process(stage.app.pid) if stage.app is not None and stage.app.poll() is None else None

    return {Victim.APP: app, Victim.SERVER: stage.server, Victim.GUARDIAN: stage.guardian, Victim.WORKER: worker}[
        moment.victim
    ]
