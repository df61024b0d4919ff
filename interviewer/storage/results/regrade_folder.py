"""What regrading many interviews made of each, where they lie in a file of this machine: one small file an interview.

In PostgreSQL ``regrades`` keeps the same in a table. A file quotes its interview, so it is deleted with it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from serving import paths
from serving.atomic import write_atomic
from serving.errors import StorageError
from serving.frozen import FrozenModel

_FOLDER = "regrades"


class _Ended(FrozenModel):
    """What came of an interview: an outcome, or why there is none."""

    outcome: str | None = None
    failure: str | None = None


class RegradeFolder:
    """The regrading of the interviews of one home.

    Args:
        home: the folder of the person's data.

    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._tries: dict[str, int] = {}

    def take(self, sessions: Iterable[str], *, again: bool = False) -> list[str]:
        """Those interviews that neither have an outcome nor were given up.

        Args:
            sessions: ids of interviews.
            again: whether to forget all outcomes before.

        Raises:
            StorageError: the disk refused.

        """
        if again:
            delete(self._home)
        return [session for session in sessions if self._ended(session) is None]

    def begin(self, session: str) -> int:
        """Begin to grade an interview again; returns which try it is, since the last that no kill ended."""
        self._tries[session] = self._tries.get(session, 0) + 1
        return self._tries[session]

    def keep(self, session: str, outcome: str) -> bool:
        """Keep what came of it; returns whether it counts, as it always does.

        Raises:
            StorageError: the disk refused; nothing was kept.

        """
        self._write(session, _Ended(outcome=outcome))
        return True

    def give_up(self, session: str, why: str) -> None:
        """Note that an interview cannot be graded again.

        Raises:
            StorageError: the disk refused.

        """
        self._write(session, _Ended(failure=why))

    def put_off(self, session: str) -> None:
        """Note that it is tried again later, over something that passes."""
        self._tries.pop(session, None)

    def outcomes(self, sessions: Iterable[str]) -> dict[str, str]:
        """What came of each of those interviews that is done, as it was kept, by its id."""
        found = {session: self._ended(session) for session in sessions}
        return {session: each.outcome for session, each in found.items() if each and each.outcome is not None}

    def failures(self, sessions: Iterable[str]) -> dict[str, str]:
        """Why those of the interviews that were given up cannot be graded again, by their ids."""
        found = {session: self._ended(session) for session in sessions}
        return {session: each.failure for session, each in found.items() if each and each.failure is not None}

    def _ended(self, session: str) -> _Ended | None:
        """What is kept of an interview; ``None`` where that is nothing, or cannot be read, so that it is done again."""
        try:
            return _Ended.model_validate_json(_place(self._home, session).read_bytes())
        except (OSError, ValidationError):
            return None

    def _write(self, session: str, ended: _Ended) -> None:
        place = _place(self._home, session)
        paths.made(place.parent)
        write_atomic(place, ended.model_dump_json())


def delete(home: Path, session: str | None = None) -> None:
    """Delete what regrading made of an interview, or of all where none is named.

    Args:
        home: the folder of the person's data.
        session: the interview's id.

    Raises:
        StorageError: the disk refused; some may be left.

    """
    try:
        if session is not None:
            _place(home, session).unlink(missing_ok=True)
        elif (home / _FOLDER).is_dir():
            shutil.rmtree(home / _FOLDER)
    except OSError as error:
        why = error.strerror
        raise StorageError(f"What was graded again, in {home / _FOLDER}, cannot be deleted: {why}.") from error


def _place(home: Path, session: str) -> Path:
    # An id that came with somebody's file may be any text.
    return home / _FOLDER / f"{hashlib.sha256(session.encode(errors='surrogatepass')).hexdigest()}.json"
