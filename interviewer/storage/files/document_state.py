"""What is to be done about one document that several pages share, from what is known of it here and there. Pure."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from pathlib import PurePosixPath
from typing import NamedTuple

from serving.frozen import FrozenModel

_LONGEST_NAME = 255
"""Bytes of a file's name."""


class Told(NamedTuple):
    """What a person is told while their documents are brought up to date.

    Attributes:
        said: a sentence.
        refused: whether it says why a document cannot be used; else it says what goes on just now.

    """

    said: str
    refused: bool = False


class Entry(FrozenModel):
    """What the store says of a document; one file of the manifest.

    Attributes:
        digest: SHA-256 of its bytes; empty where it was removed.
        name: its file's name; empty where it was removed.
        at: when it was put there or removed, in seconds since 1970.

    """

    digest: str
    name: str
    at: float


class Local(FrozenModel):
    """A document in the folder of a person's data.

    Attributes:
        digest: SHA-256 of its bytes.
        at: when it was written, in seconds since 1970.

    """

    digest: str
    at: float


class Action(StrEnum):
    """What is to be done."""

    NOTHING = "nothing"
    FETCH = "fetch"
    DROP = "drop"
    SEND = "send"
    REMOVE = "remove"
    NOTE = "note"


def key_of(name: str) -> str:
    """What a document is called in the store: a digest, so no name leads anywhere."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def is_name(name: str) -> bool:
    """Whether a name that was read in the store is that of a file in a folder, and no way out of it."""
    return (
        PurePosixPath(name).name == name
        and not name.startswith(".")
        and not set("/\\\0") & set(name)
        and 0 < len(name.encode("utf-8", "replace")) <= _LONGEST_NAME
    )


def decide(local: Local | None, there: Entry | None, before: str | None, *, removed: bool) -> Action:
    """What is to be done about a document.

    Nothing is done because a document is missing: that a store is empty may mean that another one was named.

    Args:
        local: the file here; ``None`` where there is none.
        there: what the store says; ``None`` where it knows nothing of it.
        before: its digest when store and folder last agreed, empty where they agreed that it is removed; ``None``
            where they never did.
        removed: whether it was removed here since then.

    Returns:
        ``FETCH`` it from the store into the folder and the index, ``DROP`` it from both, ``SEND`` it to the store,
        ``REMOVE`` it there, or only ``NOTE`` that both agree.

    """
    if local is None:
        if removed:
            # What somebody else put in its place meanwhile was never removed.
            return Action.REMOVE if there is None or there.digest in {before, ""} else Action.FETCH
        return Action.FETCH if there is not None and there.digest else Action.NOTHING
    if there is None:
        return Action.SEND
    return _between(local, there, before)


def _between(local: Local, there: Entry, before: str | None) -> Action:
    """What is to be done where both know the document."""
    if local.digest == there.digest:
        return Action.NOTHING if before == local.digest else Action.NOTE
    if before == local.digest:
        return Action.FETCH if there.digest else Action.DROP
    # Two files of one name: the newer one takes the place of the older, as it does on one page.
    changed_here = before == there.digest or not there.digest or local.at > there.at
    return Action.SEND if changed_here else Action.FETCH
