"""Where recordings and documents are kept: with the person's data, or in a store that several pages share."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from interviewer.storage.files.page_documents import Listed, PageDocuments, Read
from interviewer.storage.files.recordings import LocalRecordings, Recordings

if TYPE_CHECKING:
    from interviewer.storage.files.shared_documents import SharedDocuments
    from interviewer.storage.files.shared_recordings import SharedRecordings


class Files:
    """The files of all people on this machine, each in the folder of their data."""

    def recordings(self, home: Path) -> Recordings:
        """The recordings of whoever has a folder."""
        return LocalRecordings(home)

    def documents(self, home: Path, listed: Listed, read: Read) -> PageDocuments:
        """What a page does with the documents of whoever has a folder.

        Args:
            home: the folder.
            listed: those in the index of this page.
            read: takes documents into that index.

        """
        del home
        return PageDocuments(listed, read)

    def fetch_documents(self, home: Path) -> None:
        """Have all documents of a person in their folder; what is not in the index is read when they open a page.

        Raises:
            StorageError: they cannot be had.

        """

    def start(self, homes: Callable[[], Iterable[Path]]) -> None:
        """Begin to send what waits.

        Args:
            homes: gives the folders of the people on this machine.

        """

    def send(self, home: Path) -> int:
        """Send what waits in a folder, here and now; returns how many files had to be left.

        Raises:
            StorageError: a file cannot be read.

        """
        del home
        return 0

    def close(self) -> None:
        """Let go of it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class SharedFiles(Files):
    """The files of all people in a store that several pages share.

    Args:
        url: of the store.

    Raises:
        BadInputError: there is no such kind of store, or no such folder.
        ServiceMissingError: a package that it needs is not installed.

    """

    def __init__(self, url: str) -> None:
        from interviewer.storage.files.sender import Sender  # noqa: PLC0415 - only who shares files waits for it
        from interviewer.storage.files.store import open_store  # noqa: PLC0415

        self._store = open_store(url, os.environ)
        self._homes: Callable[[], Iterable[Path]] = tuple
        self._sender = Sender(lambda: map(self._waiting, self._homes()))
        self._lock = threading.Lock()
        self._fetched: tempfile.TemporaryDirectory[str] | None = None

    def recordings(self, home: Path) -> Recordings:
        """See ``Files.recordings``."""
        return self._of(home)

    def start(self, homes: Callable[[], Iterable[Path]]) -> None:
        """See ``Files.start``."""
        self._homes = homes
        self._sender.start()

    def send(self, home: Path) -> int:
        """See ``Files.send``."""
        from interviewer.storage.files.store import AwayError  # noqa: PLC0415

        try:
            self._waiting(home).send()
        except AwayError:
            return len(self._of(home).waiting()) + self._documents(home).waiting()
        return 0

    def documents(self, home: Path, listed: Listed, read: Read) -> PageDocuments:
        """See ``Files.documents``."""
        from interviewer.storage.files.page_documents import followed  # noqa: PLC0415

        return followed(self._documents(home), listed, read, self._sender.wake)

    def fetch_documents(self, home: Path) -> None:
        """See ``Files.fetch_documents``."""
        self._documents(home).fetch()

    def close(self) -> None:
        """Stop sending, and delete what was fetched to be played."""
        self._sender.close()
        with self._lock:
            if self._fetched is not None:
                self._fetched.cleanup()
                self._fetched = None

    def _of(self, home: Path) -> SharedRecordings:
        from interviewer.storage.files.shared_recordings import SharedRecordings  # noqa: PLC0415

        return SharedRecordings(home, self._store, self._folder, self._sender.wake)

    def _documents(self, home: Path) -> SharedDocuments:
        from interviewer.storage.files.shared_documents import SharedDocuments  # noqa: PLC0415

        return SharedDocuments(home, self._store)

    def _waiting(self, home: Path) -> _Waiting:
        return _Waiting(self._of(home), self._documents(home))

    def _folder(self) -> Path:
        with self._lock:
            if self._fetched is None:
                self._fetched = tempfile.TemporaryDirectory(prefix="recordings-", ignore_cleanup_errors=True)
            return Path(self._fetched.name)


class _Waiting(NamedTuple):
    """What one person has on this machine that the store lacks."""

    recordings: SharedRecordings
    documents: SharedDocuments

    def send(self) -> None:
        self.recordings.send()
        self.documents.send()


def open_files(url: str | None) -> Files:
    """Where the files of people are.

    Args:
        url: a folder or ``s3://BUCKET/PREFIX``; left out, each person's are with their data on this machine.

    Raises:
        BadInputError: there is no such kind of store, or no such folder.
        ServiceMissingError: a package that it needs is not installed.

    """
    return Files() if url is None else SharedFiles(url)
