"""What one person's page works on, and the places of several people who share a machine."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from interviewer.storage.files.document_state import Told
from interviewer.storage.files.recordings import LocalRecordings, Recordings
from interviewer.web.controller import PageController
from interviewer.web.identity import present
from knowledge.ingestion.own_documents import OwnDocument
from knowledge.ingestion.pipeline import IngestReport
from knowledge.model import Hit, Question
from serving import paths
from serving.errors import BadInputError

Ingest = Callable[[Sequence[Path]], IngestReport]
"""Takes documents into the library and says what became of each."""


def _home() -> Path:
    return paths.home()


def _nothing() -> None:
    """There is nothing to let go of."""


def _up_to_date() -> Iterator[Told]:
    """Nobody else changes the documents."""
    return iter(())


class Library(Protocol):
    """The questions there are."""

    def questions(self) -> tuple[Question, ...]:
        """Every question."""
        ...

    @property
    def complete(self) -> bool:
        """Whether a search answers at once."""
        ...

    def search(self, text: str, k: int) -> list[Hit]:
        """The ``k`` nearest to a text, best first."""
        ...


class Documents(Protocol):
    """The person's own documents; ``knowledge.ingestion.own_documents.OwnDocuments`` is one."""

    def all(self) -> tuple[OwnDocument, ...]:
        """Every one with questions."""
        ...

    def remove(self, source: str) -> None:
        """Take one out.

        Raises:
            InterviewerError: there is none of that name, or it cannot be done.

        """
        ...


@dataclass(frozen=True)
class Workspace:
    """What one person's page works on.

    Attributes:
        controller: carries out what they ask for.
        library: what they can be asked about.
        ingest: takes their documents in.
        documents: those that were taken in; ``None`` where they cannot be listed.
        home: the folder of their data; made when it is asked for.
        close: lets go of it.
        keeper: what keeps the recordings of whoever has a folder.
        catch_up: brings their documents to what other pages made of them, and tells what goes on.

    """

    controller: PageController
    library: Library
    ingest: Ingest
    documents: Documents | None = None
    home: Callable[[], Path] = _home
    close: Callable[[], None] = _nothing
    keeper: Callable[[Path], Recordings] = LocalRecordings
    catch_up: Callable[[], Iterator[Told]] = _up_to_date

    @property
    def recordings(self) -> Recordings:
        """The recordings of their answers."""
        return self.keeper(self.home())


class WorkspaceRegistry:
    """The places of people who log in, each below a folder of their own; safe to use from several threads.

    A profile's folder is laid out as a home is, so every command works on it with ``INTERVIEWER_HOME`` set to it.

    Args:
        folder: where their folders are.
        make: makes the place in a folder; called once for each person, when they first come.

    """

    def __init__(self, folder: Path, make: Callable[[Path], Workspace]) -> None:
        self._folder = folder
        self._make = make
        self._made: dict[str, Workspace] = {}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def here(self) -> Workspace:
        """The place of the person whose request is being answered.

        Raises:
            BadInputError: nobody is logged in.
            InterviewerError: the place cannot be made.

        """
        name = present()
        if not name:
            raise BadInputError("You are not logged in.", hint="Reload the page.")
        # One for each name: whoever comes first waits some seconds for their place, and nobody else does.
        with self._locks[name]:
            if name not in self._made:
                self._made[name] = self._make(paths.made(self._folder / name))
            return self._made[name]

    def folders(self) -> list[Path]:
        """The folders of all who have ever come."""
        return sorted(path for path in self._folder.glob("*") if path.is_dir())

    def close(self) -> None:
        """Let go of all of them."""
        for place in self._made.values():
            place.close()
