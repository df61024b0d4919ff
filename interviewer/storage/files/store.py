"""A folder or a bucket that several pages share, and what is told where it refuses. Thread-safe."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from serving import paths
from serving.atomic import write_atomic
from serving.errors import BadInputError, ServiceMissingError, StorageError

EXAMPLES = "s3://BUCKET/PREFIX, or the path of a folder that is there"

_AT_ONCE = 8
"""Files that are read at a time."""

_LEFT_ALONE_S = 5.0
"""Seconds for which a store that did not answer is not asked again: nobody waits for it twice in a row."""

_TIMEOUT_S = 20
_CONNECT_S = 3
_RETRY_S = 6

_NO_BUCKET = "NoSuchBucket"
_KEYS_REFUSED = frozenset({"PermissionDeniedError", "UnauthenticatedError"})
_KEYS_ASKED_OF = "169.254.169.254"
"""Where AWS gives keys to machines of its own; it is asked where the environment names none."""

_STATUS = re.compile(r"status code: (\d)\d\d")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")

_INSTALL = ".venv/bin/pip install 'obstore>=0.12,<1'"


class FileSystem(Protocol):
    """What is used of fsspec's ``AbstractFileSystem``, which has no types."""

    def cat_file(self, path: str) -> bytes:
        """The content of a file."""
        ...

    def find(self, path: str) -> list[str]:
        """All files below a folder."""
        ...

    def ls(self, path: str, detail: bool) -> list[str]:
        """What is directly in a folder."""
        ...

    def rm_file(self, path: str) -> None:
        """Delete a file."""
        ...


class AwayError(StorageError):
    """The store does not answer now; nothing is wrong with what was asked."""

    retryable = True


class FileStore:
    """Files by key. A key is made of plain parts with slashes between them, as ``keys`` makes them.

    Args:
        system: does it.
        root: what it has before each key.
        name: what the store is called in messages and in journals; without secrets.
        write: writes a file whole or not at all.
        clock: seconds.

    """

    def __init__(
        self,
        system: FileSystem,
        root: str,
        name: str,
        write: Callable[[str, bytes], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._system = system
        self._root = root.rstrip("/")
        self.name = name
        self._write = write
        self._clock = clock
        self._alone_until = float("-inf")

    def put(self, key: str, content: bytes) -> None:
        """Store a file, whole or not at all, in place of the one of that key.

        Raises:
            StorageError: the store refused, or is away.

        """
        with self._told():
            self._write(f"{self._root}/{key}", content)

    def get(self, key: str) -> bytes | None:
        """The content of a file; ``None`` where there is none.

        Raises:
            StorageError: the store refused, or is away.

        """
        with self._told():
            try:
                return bytes(self._system.cat_file(f"{self._root}/{key}"))
            except (FileNotFoundError, NotADirectoryError) as error:
                _need_bucket(error)
                return None

    def get_all(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The contents of those files that are there, several at a time.

        Raises:
            StorageError: the store refused, or is away.

        """
        wanted = list(keys)
        if not wanted:
            return {}
        with ThreadPoolExecutor(min(_AT_ONCE, len(wanted)), thread_name_prefix="files") as pool:
            found = zip(wanted, pool.map(self.get, wanted), strict=True)
            return {key: content for key, content in found if content is not None}

    def names(self, key: str) -> tuple[str, ...]:
        """Names of the files that lie directly below a key, in order.

        Raises:
            StorageError: the store refused, or is away.

        """
        with self._told():
            try:
                found = self._system.ls(f"{self._root}/{key}", detail=False)
            except (FileNotFoundError, NotADirectoryError) as error:
                _need_bucket(error)
                return ()
            return tuple(sorted(each.rstrip("/").rpartition("/")[2] for each in found))

    def below(self, key: str) -> tuple[str, ...]:
        """Keys of all files at any depth below a key, in order.

        Raises:
            StorageError: the store refused, or is away.

        """
        with self._told():
            try:
                found = self._system.find(f"{self._root}/{key}")
            except (FileNotFoundError, NotADirectoryError) as error:
                _need_bucket(error)
                return ()
            return tuple(sorted(f"{key}{each.partition(f'{self._root}/{key}')[2]}" for each in found))

    def delete(self, keys: Iterable[str]) -> None:
        """Delete files; those that are gone already are no error.

        Raises:
            StorageError: the store refused, or is away; some may be left.

        """
        for key in keys:
            with self._told():
                try:
                    self._system.rm_file(f"{self._root}/{key}")
                except FileNotFoundError as error:
                    _need_bucket(error)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turns what the store says into errors of ours, and leaves one that is away alone for a moment."""
        if self._clock() < self._alone_until:
            raise self._away()
        try:
            yield
        except StorageError:
            raise
        except Exception as error:
            # obstore's errors have no base of Python's but this one.
            if not isinstance(error, OSError) and not type(error).__module__.startswith("obstore"):
                raise
            refused = refusal(self.name, error)
            if refused is None:
                self._alone_until = self._clock() + _LEFT_ALONE_S
            raise refused or self._away() from error

    def _away(self) -> AwayError:
        return AwayError(
            f"The store {self.name} does not answer.", hint="Nothing is lost; it is tried again by itself."
        )


def _need_bucket(error: OSError) -> None:
    """A file that is missing with its bucket is not taken for one that is not there."""
    if _NO_BUCKET in str(error):
        raise error


def refusal(name: str, error: Exception) -> StorageError | None:
    """Why a store did not do what was asked, in a person's terms; ``None`` where it is merely away.

    Args:
        name: what the store is called.
        error: as fsspec or obstore raised it; what it says may hold anything, so a code at most is told of it.

    """
    said, kind = str(error), type(error).__name__
    if _NO_BUCKET in said:
        return StorageError(f"There is no bucket for {name}.", hint="Make it, or check the URL.")
    if isinstance(error, PermissionError) or kind in _KEYS_REFUSED or _KEYS_ASKED_OF in said:
        return StorageError(
            f"The store {name} refused access.",
            hint="Check its keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), or the rights of the folder.",
        )
    status, code = _STATUS.search(said), _CODE.search(said)
    if status is not None and status[1] != "5":
        return StorageError(
            f"The store {name} refused ({code[1] if code else status[0]}).",
            hint="Check the URL and the AWS_ variables.",
        )
    if isinstance(error, OSError) and error.strerror:
        return StorageError(f"The store {name} refused: {error.strerror}.")
    return None


def open_store(url: str, variables: Mapping[str, str]) -> FileStore:
    """The store of a URL; whether it answers is found out when it is first used.

    Args:
        url: a folder, as a path or ``file://`` URL, or ``s3://BUCKET/PREFIX``.
        variables: those of the environment; keys, region, and endpoint are in those that begin with ``AWS_``.

    Raises:
        BadInputError: there is no such kind of store, or no such folder.
        ServiceMissingError: a package that it needs is not installed.

    """
    if "://" not in url:
        return _folder(Path(url).expanduser())
    try:
        parts = urlsplit(url)
        named = parts.username or parts.password
    except ValueError as error:
        raise BadInputError("The URL of the files cannot be read.", hint=f"Write {EXAMPLES}.") from error
    if parts.scheme == "file" and not parts.netloc:
        return _folder(Path(unquote(parts.path)))
    if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment or set("*?[") & set(parts.path):
        # Only as much of it as cannot hold a secret.
        kind = f"“{parts.scheme}://…”" if parts.scheme.isidentifier() else "What was given"
        raise BadInputError(f"{kind} does not name a store for files.", hint=f"Write {EXAMPLES}.")
    if named or "@" in parts.netloc or any(each in {".", ".."} for each in parts.path.split("/")):
        raise BadInputError(
            "The URL of the files holds more than a bucket and a prefix.",
            hint="Keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, an endpoint in AWS_ENDPOINT_URL.",
        )
    return _bucket(parts.netloc, parts.path.strip("/"), variables)


def _folder(folder: Path) -> FileStore:
    from fsspec.implementations.local import LocalFileSystem  # noqa: PLC0415 - only who shares files waits for it

    # One that is not mounted would else be made anew, empty, on the machine's own disk.
    if not folder.is_dir():
        raise BadInputError(f"The folder {folder} for files does not exist.", hint="Make it, or choose another one.")
    where = folder.resolve()

    def write(path: str, content: bytes) -> None:
        # fsspec writes in place, where a reader on another machine would find half of it.
        write_atomic(paths.made(Path(path).parent) / Path(path).name, content)

    return FileStore(LocalFileSystem(skip_instance_cache=True), where.as_posix(), where.as_uri(), write)


def _bucket(bucket: str, prefix: str, variables: Mapping[str, str]) -> FileStore:
    try:
        from obstore.fsspec import FsspecStore  # noqa: PLC0415 - only who keeps files in S3 needs it
    except ImportError as error:
        raise ServiceMissingError(
            "Files in S3 need the package obstore, which is not installed.", hint=f"Install it: {_INSTALL}"
        ) from error
    from datetime import timedelta  # noqa: PLC0415

    class Bucket(FsspecStore):
        # One that was opened before may have been opened with other variables.
        cachable = False

    endpoint = variables.get("AWS_ENDPOINT_URL_S3") or variables.get("AWS_ENDPOINT_URL") or ""
    system = Bucket(
        "s3",
        client_options={
            "allow_http": endpoint.startswith("http://"),
            "timeout": timedelta(seconds=_TIMEOUT_S),
            "connect_timeout": timedelta(seconds=_CONNECT_S),
        },
        retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=_RETRY_S)},
    )
    root = f"{bucket}/{prefix}" if prefix else bucket
    return FileStore(system, root, f"s3://{root}", system.pipe_file)
