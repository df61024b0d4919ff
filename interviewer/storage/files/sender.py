"""Sends what waits on this machine's disk to the shared store, in the background, until the store has it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from serving.errors import StorageError

_LOG = logging.getLogger(__name__)

_PAUSES_S = (2.0, 5.0, 15.0, 30.0)
"""After each failure in a row; the last one from then on."""

_LOOK_S = 60.0
"""How often it looks where nobody told it to: another process may have used the same folder."""

_CLOSE_S = 5.0


class Waiting(Protocol):
    """What one person has on this machine that the store lacks."""

    def send(self) -> None:
        """Send it.

        Raises:
            StorageError: the store refused, or is away; what was not sent is still here.

        """
        ...


class Sender:
    """Sends for all people of a page.

    Args:
        people: gives what each of them has to be sent.

    """

    def __init__(self, people: Callable[[], Iterable[Waiting]]) -> None:
        self._people = people
        self._due = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="files", daemon=True)

    def start(self) -> None:
        """Begin: first with what an earlier run left."""
        self._thread.start()

    def wake(self) -> None:
        """There is something new to send."""
        self._due.set()

    def close(self) -> None:
        """Stop; what has not been sent is sent by the next run."""
        self._stop.set()
        self._due.set()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        failed = 0
        while not self._stop.is_set():
            self._due.clear()
            trouble = self._send()
            if trouble is None:
                failed = 0
                self._due.wait(_LOOK_S)
                continue
            if not failed:
                # Once for an outage, not at every attempt.
                _LOG.warning("Recordings or documents wait on this machine to be sent: %s", trouble)
            self._stop.wait(_PAUSES_S[min(failed, len(_PAUSES_S) - 1)])
            failed += 1

    def _send(self) -> StorageError | None:
        """Sends what there is; returns the first error, each person's being their own."""
        trouble = None
        for person in self._people():
            if self._stop.is_set():
                break
            try:
                person.send()
            except StorageError as error:
                trouble = trouble or error
        return trouble
