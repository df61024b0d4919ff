"""The documents of one person as a page has them: taken in, removed, and brought to what other pages made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    # Whoever shares no files does not wait for what follows them.
    from interviewer.storage.files.document_state import Told
    from interviewer.storage.files.shared_documents import Index, SharedDocuments
    from knowledge.ingestion.own_documents import OwnDocument
    from knowledge.ingestion.pipeline import IngestReport


class Read(Protocol):
    """Reads documents into the index of a page."""

    def __call__(self, files: Sequence[Path], /) -> IngestReport:
        """Read files; returns what became of each."""
        ...


class Listed(Protocol):
    """Documents that can be listed and removed; ``knowledge.ingestion.own_documents.OwnDocuments`` is one."""

    def all(self) -> tuple[OwnDocument, ...]:
        """Every one with questions."""
        ...

    def remove(self, source: str) -> None:
        """Take one out."""
        ...


class PageDocuments(NamedTuple):
    """What a page does with a person's documents.

    Attributes:
        listed: those that were taken in.
        read: takes documents in.
        catch_up: brings them to what other pages made of them, and tells what goes on.

    """

    listed: Listed
    read: Read
    catch_up: Callable[[], Iterator[Told]] = lambda: iter(())


def followed(shared: SharedDocuments, listed: Listed, read: Read, wake: Callable[[], None]) -> PageDocuments:
    """What a page does with documents that it shares.

    Args:
        shared: they themselves.
        listed: those in the index of this page.
        read: takes documents into that index.
        wake: told when there is something to send.

    """

    def read_and_send(files: Sequence[Path]) -> IngestReport:
        # Held, so that nothing is sent of what is put back where it cannot be read.
        with shared.held():
            done = read(files)
        wake()
        return done

    return PageDocuments(
        _Followed(shared, listed, wake), read_and_send, lambda: shared.catch_up(_index_of(listed, read))
    )


class _Followed:
    def __init__(self, shared: SharedDocuments, listed: Listed, wake: Callable[[], None]) -> None:
        self._shared = shared
        self._listed = listed
        self._wake = wake

    def all(self) -> tuple[OwnDocument, ...]:
        return self._listed.all()

    def remove(self, source: str) -> None:
        # Only what lies in the person's folder is shared.
        self._shared.remove(Path(source))
        self._listed.remove(source)
        self._wake()


def _index_of(listed: Listed, read: Read) -> Index:
    from interviewer.storage.files.shared_documents import Index  # noqa: PLC0415

    def take(path: Path) -> str:
        done = read([path])
        return " ".join(f"{file.why} {file.hint}".replace(file.path, path.name).strip() for file in done.failed)

    def remove(path: Path) -> None:
        source = str(path.resolve())
        # One without questions is not listed.
        if any(document.source == source for document in listed.all()):
            listed.remove(source)

    return Index(take, remove)
