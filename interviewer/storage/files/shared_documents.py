"""A person's documents in a store that several pages share, and the folder and index of one page, which follow it.

Each document has a file of its own in the manifest, so pages that write at the same time do not overwrite each other's.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from interviewer.storage.files import keys
from interviewer.storage.files.document_state import Action, Entry, Local, Told, decide, is_name, key_of
from interviewer.storage.files.store import FileStore
from serving import paths
from serving.atomic import write_atomic
from serving.errors import StorageError
from serving.frozen import FrozenModel

_LOG = logging.getLogger(__name__)

_WAIT_S = 60.0
"""Seconds that this waits for another process, or another thread, that works on the same folder."""

_DOES = {Action.FETCH: "Reading", Action.DROP: "Removing", Action.NOTE: "Reading"}
"""What the person is told; to send one takes nobody's time."""


class _Known(FrozenModel):
    """What is remembered of a document beside its folder.

    Attributes:
        digest: when store and folder last agreed; empty where that was on its being removed, ``None`` where never.
        removed: whether it was removed here since then.
        size: of the file then, in bytes.
        written: when the file was written that they agreed on, in nanoseconds since 1970.

    """

    digest: str | None = None
    removed: bool = False
    size: int = -1
    written: int = -1


_LEDGER = TypeAdapter(dict[str, _Known])
_NONE = _Known()


class Index(NamedTuple):
    """What takes a document into the index of a page and out of it.

    Attributes:
        read: reads a file; returns a sentence where it cannot be used, else an empty one.
        remove: takes the questions of a file out; they may be gone already.

    """

    read: Callable[[Path], str]
    remove: Callable[[Path], None]


class SharedDocuments:
    """The documents of one person.

    Args:
        home: the folder of the person's data on this machine.
        store: where the documents are kept.
        now: the time, in seconds since 1970.

    """

    def __init__(self, home: Path, store: FileStore, now: Callable[[], float] = time.time) -> None:
        self._folder = home / "documents"
        self._ledger = home / "shared-documents.json"
        self._lock = home / "shared-documents.lock"
        self._store = store
        self._place = keys.documents(home)
        self._now = now

    @contextmanager
    def held(self) -> Iterator[None]:
        """While this is open, nothing else brings folder and store together.

        Raises:
            StorageError: somebody else is at it for longer than one would wait.

        """
        paths.made(self._lock.parent)
        try:
            with FileLock(self._lock, timeout=_WAIT_S):
                yield
        except Timeout as error:
            raise StorageError(
                "Your documents are being read by another page.", hint="Try again in a moment."
            ) from error

    def remove(self, path: Path) -> None:
        """Note that a document is about to be removed here, so that it is removed everywhere.

        Args:
            path: its file; one that lies elsewhere than in the person's folder is no document that is shared.

        Raises:
            StorageError: the disk refused.

        """
        if path.parent != self._folder.resolve():
            return
        with self.held():
            self._note(key_of(path.name), removed=True)

    def send(self) -> None:
        """Send what is new here, and remove in the store what was removed here.

        Raises:
            StorageError: the store refused, or is away; what was not sent is sent later.

        """
        ledger, files = self._known(), self._files()
        changed = [key for key, path in files.items() if not _is_as_noted(path, ledger.get(key, _NONE))]
        gone = [key for key, known in ledger.items() if known.removed and key not in files]
        for key in [*changed, *gone]:
            self._settle(key, None)

    def waiting(self) -> int:
        """How many changes have still to be sent."""
        ledger, files = self._known(), self._files()
        changed = sum(not _is_as_noted(path, ledger.get(key, _NONE)) for key, path in files.items())
        return changed + sum(known.removed and key not in files for key, known in ledger.items())

    def catch_up(self, index: Index) -> Iterator[Told]:
        """Bring folder and index to what the store has, and the store to what is new here.

        Args:
            index: the page's own.

        Yields:
            What goes on before each step that may take a while, and why a document cannot be used.

        Raises:
            StorageError: the store refused, or is away; what was done stays, and the next call goes on.

        """
        there, ledger, files = self._entries(), self._known(), self._files()
        due: list[tuple[str, str, Action]] = []
        for key in sorted({*there, *files, *(key for key, known in ledger.items() if known.removed)}):
            known = ledger.get(key, _NONE)
            local = _local(files[key]) if key in files else None
            action = decide(local, there.get(key), known.digest, removed=known.removed)
            if action is not Action.NOTHING:
                name = there[key].name if key in there and there[key].name else files[key].name if key in files else ""
                due.append((key, name, action))
        slow = [key for key, _, action in due if action in _DOES]
        for key, name, action in due:
            if action in _DOES:
                yield Told(f"{_DOES[action]} {name} ({slow.index(key) + 1} of {len(slow)})")
            if trouble := self._settle(key, index):
                yield Told(trouble, refused=True)

    def fetch(self) -> None:
        """Fetch the documents that only the store has; a page reads them when the person next opens it.

        Raises:
            StorageError: the store refused, or is away.

        """
        for key, entry in self._entries().items():
            with self.held():
                if entry.digest and key not in self._files() and not self._known().get(key, _NONE).removed:
                    self._fetch(key, entry)

    def _settle(self, key: str, index: Index | None) -> str:
        """Do what is to be done about one document now; what needs an index is left where there is none."""
        with self.held():
            known, path = self._known().get(key, _NONE), self._files().get(key)
            local, entry = _local(path) if path else None, self._entry(key)
            action = decide(local, entry, known.digest, removed=known.removed)
            if action is Action.SEND and path is not None and local is not None:
                self._send(key, path, local, entry)
            elif action is Action.REMOVE:
                self._store.put(f"{self._manifest}/{key}", _bytes(Entry(digest="", name="", at=self._now())))
                self._store.delete(self._store.below(f"{self._contents}/{key}"))
                self._note(key, digest="")
            elif action in {Action.FETCH, Action.NOTE} and entry is not None and index is not None:
                path = path if action is Action.NOTE else self._fetch(key, entry)
                if path is not None:
                    trouble = index.read(path)
                    self._note(key, path, entry.digest)
                    return trouble
            elif action is Action.DROP and path is not None and index is not None:
                index.remove(path)
                path.unlink(missing_ok=True)
                self._note(key, digest="")
            return ""

    def _send(self, key: str, path: Path, local: Local, before: Entry | None) -> None:
        content = _content(path)
        # What was written in between is sent next time.
        if content is None or hashlib.sha256(content).hexdigest() != local.digest:
            return
        place = f"{self._contents}/{key}/{local.digest}"
        self._store.put(place, content)
        self._store.put(f"{self._manifest}/{key}", _bytes(Entry(digest=local.digest, name=path.name, at=local.at)))
        if before is not None and before.digest not in {"", local.digest}:
            self._store.delete([f"{self._contents}/{key}/{before.digest}"])
        if local.digest not in self._store.names(f"{self._contents}/{key}"):
            # Another page removed the document at this very moment, and this content with it.
            self._store.put(place, content)
        self._note(key, path, local.digest)

    def _fetch(self, key: str, entry: Entry) -> Path | None:
        """The document, put into the folder; ``None`` where another page is just about to change it."""
        content = self._store.get(f"{self._contents}/{key}/{entry.digest}")
        if content is None or hashlib.sha256(content).hexdigest() != entry.digest:
            _LOG.warning("A document in %s is not whole; it is fetched when its page has sent it.", self._store.name)
            return None
        path = paths.made(self._folder) / entry.name
        write_atomic(path, content)
        os.utime(path, (entry.at, entry.at))
        return path

    @property
    def _manifest(self) -> str:
        return f"{self._place}/manifest"

    @property
    def _contents(self) -> str:
        return f"{self._place}/contents"

    def _entries(self) -> dict[str, Entry]:
        found = self._store.get_all(f"{self._manifest}/{name}" for name in self._store.names(self._manifest))
        entries = {place.rpartition("/")[2]: _entry(place, content) for place, content in found.items()}
        return {key: entry for key, entry in entries.items() if entry is not None}

    def _entry(self, key: str) -> Entry | None:
        place = f"{self._manifest}/{key}"
        content = self._store.get(place)
        return _entry(place, content) if content is not None else None

    def _files(self) -> dict[str, Path]:
        """The documents in the folder, by key; no links, and nothing that is still being written."""
        found = self._folder.glob("*")
        names = (path for path in found if is_name(path.name) and path.suffix != ".partial")
        return {key_of(path.name): path for path in names if path.is_file() and not path.is_symlink()}

    def _known(self) -> dict[str, _Known]:
        try:
            return _LEDGER.validate_json(self._ledger.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError):
            _LOG.warning("%s is damaged; documents are compared with the store anew.", self._ledger)
            return {}

    def _note(self, key: str, path: Path | None = None, digest: str | None = None, *, removed: bool = False) -> None:
        ledger = self._known()
        if removed:
            ledger[key] = ledger.get(key, _NONE).model_copy(update={"removed": True})
        else:
            held = path.stat() if path else None
            size, written = (held.st_size, held.st_mtime_ns) if held else (-1, -1)
            ledger[key] = _Known(digest=digest, size=size, written=written)
        write_atomic(self._ledger, _LEDGER.dump_json(ledger, indent=1))


def _entry(place: str, content: bytes) -> Entry | None:
    """What a file of the manifest says; ``None`` where it is none of ours: its name has to be the document's digest."""
    try:
        entry = Entry.model_validate_json(content)
    except ValidationError:
        return None
    if not entry.digest:
        return entry.model_copy(update={"name": ""})
    if not is_name(entry.name) or key_of(entry.name) != place.rpartition("/")[2] or not _is_digest(entry.digest):
        return None
    return entry


def _is_digest(text: str) -> bool:
    return len(text) == 64 and set(text) <= set("0123456789abcdef")


def _bytes(entry: Entry) -> bytes:
    return entry.model_dump_json().encode()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"The document {path} cannot be read: {error.strerror}.") from error


def _local(path: Path) -> Local | None:
    content = _content(path)
    if content is None:
        return None
    return Local(digest=hashlib.sha256(content).hexdigest(), at=path.stat().st_mtime)


def _is_as_noted(path: Path, known: _Known) -> bool:
    """Whether a file is the one that store and folder agreed on, without reading it."""
    try:
        held = path.stat()
    except OSError:
        return True
    return (held.st_size, held.st_mtime_ns) == (known.size, known.written)
