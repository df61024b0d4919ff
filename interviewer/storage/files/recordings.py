"""The recordings of one person, wherever they are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from interviewer.storage import recordings


class Playable(NamedTuple):
    """What can be listened to of an interview.

    Attributes:
        folder: holds the recordings that can be played now, each under its name.
        known: how many recordings there are of the interview, as far as is known.
        note: a sentence for the person where some cannot be played yet; else empty.

    """

    folder: Path
    known: int
    note: str = ""


class Recordings(Protocol):
    """Keeps the recordings of one person, and gives them out."""

    def keep(self, session: str, recording: bytes) -> str:
        """Keep a recording of an interview, which is complete; returns where, for the journal.

        Raises:
            StorageError: the disk refused.

        """
        ...

    def count(self) -> int:
        """How many there are of all interviews, as far as is known.

        Raises:
            StorageError: they cannot be counted.

        """
        ...

    def playable(self, session: str, places: Collection[str]) -> Playable:
        """What can be listened to of an interview.

        Args:
            session: its id.
            places: what ``keep`` returned for its answers.

        """
        ...

    def all(self) -> Iterable[tuple[str, str, bytes]]:
        """Every recording: the interview's folder, the file's name, and the content.

        Raises:
            StorageError: they cannot be read.

        """
        ...

    def delete(self, session: str | None = None) -> int:
        """Delete those of an interview, or of all where none is named; returns how many there were.

        Raises:
            StorageError: it cannot be done; some may be left.

        """
        ...


class LocalRecordings:
    """Recordings in the folder of the person's data.

    Args:
        home: that folder.

    """

    def __init__(self, home: Path) -> None:
        self._home = home

    def keep(self, session: str, recording: bytes) -> str:
        """See ``Recordings.keep``."""
        return str(recordings.keep(self._home, session, recording))

    def count(self) -> int:
        """See ``Recordings.count``."""
        return len(recordings.kept(self._home))

    def playable(self, session: str, _places: Collection[str]) -> Playable:
        """See ``Recordings.playable``."""
        return Playable(recordings.folder_of(self._home, session), len(recordings.kept(self._home, session)))

    def all(self) -> Iterable[tuple[str, str, bytes]]:
        """See ``Recordings.all``."""
        for path in recordings.kept(self._home):
            yield path.parent.name, path.name, recordings.content(path)

    def delete(self, session: str | None = None) -> int:
        """See ``Recordings.delete``."""
        return recordings.delete(self._home, session)
