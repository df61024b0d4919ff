"""The recordings of one person in a store that several pages share.

A recording is kept in the folder of the page that made it until the store has it. Whoever deletes recordings leaves a
note of when: a page that still has one to send reads it, and sends nothing that is older.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path, PurePath

from interviewer.storage import recordings
from interviewer.storage.files import keys
from interviewer.storage.files.recordings import Playable
from interviewer.storage.files.store import AwayError, FileStore
from interviewer.text import count as counted
from serving import paths
from serving.atomic import write_atomic
from serving.errors import StorageError

_MOST_FETCHED = 10
"""Interviews of a person whose recordings are kept on this machine once they were fetched, while the page is served."""


class SharedRecordings:
    """Recordings in a store, and those that wait to be sent there.

    Args:
        home: the folder of the person's data on this machine.
        store: where the recordings are kept.
        fetched: gives the folder for what is fetched from the store to be played.
        kept: told when there is something to send.
        now: the time, in seconds since 1970.

    """

    def __init__(
        self,
        home: Path,
        store: FileStore,
        fetched: Callable[[], Path],
        kept: Callable[[], None] = lambda: None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._home = home
        self._store = store
        self._fetched = fetched
        self._kept = kept
        self._now = now

    def keep(self, session: str, recording: bytes) -> str:
        """See ``Recordings.keep``: it is on this machine's disk when this returns, and in the store a moment later."""
        path, now = recordings.keep(self._home, session, recording), self._now()
        # The disk's own clock is some milliseconds behind: what is made after a deletion must not look older than it.
        os.utime(path, (now, now))
        self._kept()
        return f"{self._store.name}/{keys.recordings(self._home, session)}/{path.name}"

    def count(self) -> int:
        """See ``Recordings.count``; while the store is away, those that wait are known."""
        waiting = {path.name for path in recordings.kept(self._home)}
        try:
            there = {PurePath(key).name for key in self._store.below(keys.recordings(self._home))}
        except AwayError:
            return len(waiting)
        return len(waiting | {name for name in there if recordings.is_recording(name)})

    def playable(self, session: str, places: Collection[str]) -> Playable:
        """See ``Recordings.playable``; what is in the store and wanted is fetched."""
        wanted = {PurePath(place).name for place in places}
        # Those of before there was a store may be anywhere, or were deleted; nobody expects them from the store.
        expected = {PurePath(place).name for place in places if "://" in place}
        folder = paths.made(self._fetched() / keys.recordings(self._home, session))
        # Before the store is asked: one that is sent meanwhile is in its answer.
        here = {path.name: path for path in recordings.kept(self._home, session)}
        for name, path in here.items():
            _put(folder / name, path)
        try:
            there = self._there(session)
            for path in folder.iterdir():
                if path.name not in there and path.name not in here:
                    path.unlink(missing_ok=True)
            self._fetch(session, (there & wanted) - here.keys(), folder)
            _leave_few(folder)
            missing = len(expected - there - here.keys())
            note = "" if not missing or self._deleted_at(session) else _not_sent(missing)
        except StorageError as error:
            there = set()
            missing = len(expected - {path.name for path in folder.iterdir()})
            note = f"{_unheard(missing)} {error.message}" if missing else ""
        return Playable(folder, len(there | here.keys()), note)

    def all(self) -> Iterator[tuple[str, str, bytes]]:
        """See ``Recordings.all``."""
        seen: set[str] = set()
        for path in recordings.kept(self._home):
            seen.add(path.name)
            yield path.parent.name, path.name, recordings.content(path)
        for key in self._store.below(keys.recordings(self._home)):
            folder, name = PurePath(key).parts[-2:]
            if recordings.is_recording(name) and name not in seen and (content := self._store.get(key)) is not None:
                yield folder, name, content

    def delete(self, session: str | None = None) -> int:
        """See ``Recordings.delete``; those that another page has not sent yet are deleted there later."""
        place = keys.recordings(self._home, session)
        try:
            # First the note: what another page sends from now on, it takes back itself.
            self._store.put(keys.deletion(self._home, session), repr(self._now()).encode())
            there = self._store.below(place)
            self._store.delete(there)
        except AwayError as error:
            raise AwayError(
                f"The recordings cannot be deleted now: {error.message}", hint="Try again once it does."
            ) from error
        names = {PurePath(key).name for key in there} | {path.name for path in recordings.kept(self._home, session)}
        recordings.delete(self._home, session)
        shutil.rmtree(self._fetched() / place, ignore_errors=True)
        return sum(map(recordings.is_recording, names))

    def waiting(self) -> tuple[Path, ...]:
        """The recordings that are still to be sent."""
        return recordings.kept(self._home)

    def send(self) -> None:
        """Send what waits, and let go of it here; what was deleted elsewhere meanwhile goes without being sent.

        Raises:
            StorageError: the store refused, or is away; what was not sent is still here.

        """
        for path in self.waiting():
            self._send(path)

    def _send(self, path: Path) -> None:
        session = path.parent.name
        try:
            made, content = path.stat().st_mtime, path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"The recording {path} cannot be read: {error.strerror}.") from error
        key = f"{keys.recordings(self._home, session)}/{path.name}"
        if self._deleted_at(session) < made:
            self._store.put(key, content)
            # Deleted while it was sent: whoever did so may have looked before it was there.
            if self._deleted_at(session) >= made:
                self._store.delete([key])
        recordings.discard(path)

    def _there(self, session: str) -> set[str]:
        return set(filter(recordings.is_recording, self._store.names(keys.recordings(self._home, session))))

    def _fetch(self, session: str, names: Iterable[str], folder: Path) -> None:
        place = keys.recordings(self._home, session)
        lacking = [f"{place}/{name}" for name in names if not (folder / name).exists()]
        for key, content in self._store.get_all(lacking).items():
            write_atomic(folder / PurePath(key).name, content)

    def _deleted_at(self, session: str) -> float:
        """When recordings of the interview were last deleted; 0 where they never were."""
        notes = [keys.deletion(self._home, which) for which in (session, None)]
        return max(map(_time, self._store.get_all(notes).values()), default=0.0)


def _time(note: bytes) -> float:
    try:
        return float(note)
    except ValueError:
        # Somebody else's file: what it stands for is not known, so nothing is deleted for it.
        return 0.0


def _put(target: Path, source: Path) -> None:
    """A second name for a file, or a copy where the disk is another one; nothing where it is gone meanwhile."""
    if target.exists():
        return
    try:
        os.link(source, target)
    except FileNotFoundError:
        return
    except OSError:
        try:
            write_atomic(target, source.read_bytes())
        except FileNotFoundError:
            return


def _leave_few(folder: Path) -> None:
    """Delete what was fetched of other interviews, but for the latest."""
    by_age = sorted(folder.parent.iterdir(), key=lambda each: each.stat().st_mtime)
    for other in by_age[:-_MOST_FETCHED]:
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


def _unheard(missing: int) -> str:
    return f"{counted(missing, 'recording')} of your answers cannot be played now."


def _not_sent(missing: int) -> str:
    if missing == 1:
        return (
            "The recording of one of your answers cannot be played yet: it is still on the machine that recorded it, "
            "and is sent from there."
        )
    return (
        f"The recordings of {missing} of your answers cannot be played yet: they are still on the machine that "
        "recorded them, and are sent from there."
    )
