"""The recordings that are being heard, each while it grows: what was recognized of it so far. Thread-safe."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cachetools import LRUCache

from interviewer.speech.transcription import Transcription

MOST = 60
"""Most recordings that are remembered; one of twenty minutes takes some megabytes. The least recently heard goes."""

Key = tuple[str, str, str]
"""The ids of an interview, of a turn, and of a recording for that turn."""


@dataclass
class Recording:
    """One of them.

    Attributes:
        heard: what was recognized when it was heard last; ``None`` before the first time.
        share: of it that is recognized in the pass that goes on, 0 to 1; ``None`` while none does.
        lock: held by whoever recognizes it.

    """

    heard: Transcription | None = None
    share: float | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class PartialRecordings:
    """Knows the recordings that were heard last.

    Args:
        most: how many.

    """

    def __init__(self, most: int = MOST) -> None:
        self._known: LRUCache[Key, Recording] = LRUCache(most)
        self._lock = threading.Lock()
        self._following = threading.Lock()

    def of(self, key: Key) -> Recording:
        """The recording of that name, a new one where it is not known."""
        with self._lock:
            return self._known.setdefault(key, Recording())

    def forget(self, key: Key) -> None:
        """Remember a recording no longer; one that is not known is no error."""
        with self._lock:
            self._known.pop(key, None)

    def rename(self, key: Key, new: Key) -> None:
        """Know a recording under another key: the turn that it is for has changed."""
        with self._lock:
            recording = self._known.pop(key, None)
            if recording is not None:
                self._known[new] = recording

    def share(self, key: Key) -> float | None:
        """How much of a recording is recognized, 0 to 1; ``None`` while nobody is at it."""
        with self._lock:
            recording = self._known.get(key)
        return recording.share if recording else None

    @contextmanager
    def follow(self, recording: Recording) -> Iterator[bool]:
        """Have a recording for oneself while the person still talks, if nobody else is being followed just now.

        Answers come before what is only followed, and many who talk at once would take all there is: whoever finds
        another here goes without, and comes again.
        """
        if not self._following.acquire(blocking=False):
            yield False
            return
        try:
            if not recording.lock.acquire(blocking=False):
                yield False
                return
            try:
                yield True
            finally:
                recording.lock.release()
        finally:
            self._following.release()
