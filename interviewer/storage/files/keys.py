"""Names of what is kept in a shared store.

A key is made of plain parts alone, so nothing that a person names can leave the prefix of their account.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from interviewer.storage.recordings import folder_of
from serving import paths

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,79}")

_EVERY = "~every"
"""Stands for all interviews in the place of one; no part is called that, since a plain one has no such character."""


def part(text: str) -> str:
    """One part of a key for any text: itself where it is plain, else a digest; two texts never share one."""
    if _PLAIN.fullmatch(text):
        return text
    return f"~{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def account(home: Path) -> str:
    """The prefix of a person's files.

    Args:
        home: the folder of their data; one below ``profiles`` is that of an account, any other is nobody's.

    """
    owner = paths.owner(home)
    return f"accounts/{part(owner)}" if owner else "common"


def recordings(home: Path, session: str | None = None) -> str:
    """Where the recordings of an interview are, or those of all where none is named."""
    every = f"{account(home)}/recordings"
    return every if session is None else f"{every}/{_folder(home, session)}"


def deletion(home: Path, session: str | None) -> str:
    """Where it stands when the recordings of an interview, or of all where none is named, were last deleted."""
    return f"{account(home)}/deleted/{_EVERY if session is None else _folder(home, session)}"


def _folder(home: Path, session: str) -> str:
    """As the folder on the disk is called, from which a recording is sent that a page left there before."""
    return part(folder_of(home, session).name)


def documents(home: Path) -> str:
    """Where the documents of a person are."""
    return f"{account(home)}/documents"
