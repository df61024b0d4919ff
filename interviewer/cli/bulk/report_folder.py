"""``report --all``: the reports of a journal's interviews, each as a file of a folder."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import Progress as Bar

from interviewer.cli.output import counting, err
from interviewer.text import count
from serving.atomic import write_atomic
from serving.errors import BadInputError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from interviewer.session.journal import EventJournal, SessionSummary

_PLAIN = re.compile(r"[\w-]{1,80}", re.ASCII)


def write_all(journal: EventJournal, folder: Path, ending: str, make: Callable[[str], str | bytes]) -> None:
    """Write the report of each interview that has a question, and say how many.

    One that is there, and is newer than what happened last in its interview, stays as it is. So after an interruption
    the same call continues.

    Args:
        journal: has the interviews.
        folder: made where it is missing.
        ending: of the files' names.
        make: makes a report, given the interview's id.

    Raises:
        BadInputError: there is something of the folder's name that is none.
        StorageError: the disk or the database refused; whole reports that were written stay.

    """
    if folder.exists() and not folder.is_dir():
        raise BadInputError(f"{folder} is not a folder.", hint="Reports of all interviews go into a folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    held = [one for one in journal.sessions() if one.asked]
    due = [one for one in held if not _is_written(folder / f"{_name(one.id)}{ending}", one)]
    failed = 0
    with Bar(*counting("Reports"), console=err, transient=True) as bar:
        for one in bar.track(due):
            try:
                report = make(one.id)
            except KeyboardInterrupt:
                err.print("Stopped. What was written is kept; run the same command again to continue.")
                raise
            except StorageError as error:
                failed += 1
                err.print(f"No report of interview {one.id}: {error}", markup=False, highlight=False, soft_wrap=True)
                continue
            write_atomic(folder / f"{_name(one.id)}{ending}", report)
    there = f", {len(held) - len(due)} there already" if len(due) < len(held) else ""
    err.print(f"{count(len(due) - failed, 'report')} written{there}.", highlight=False)


def _is_written(file: Path, interview: SessionSummary) -> bool:
    try:
        return file.stat().st_mtime > interview.last_activity.timestamp()
    except OSError:
        return False


def _name(session: str) -> str:
    # An id that came with somebody's file may be any text.
    plain = _PLAIN.fullmatch(session) is not None
    return session if plain else hashlib.sha256(session.encode(errors="surrogatepass")).hexdigest()
