"""What SQLite refuses, in a person's terms."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

_BY_CODE = {
    sqlite3.SQLITE_FULL: ("the disk is full", "Make room and try again."),
    sqlite3.SQLITE_READONLY: ("it is read-only", "Make the file and its folder writable."),
    sqlite3.SQLITE_BUSY: ("another program keeps it locked", "Close the other program or try again."),
    sqlite3.SQLITE_LOCKED: ("another program keeps it locked", "Close the other program or try again."),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "Check that its folder is there and writable."),
    sqlite3.SQLITE_PERM: ("we may not open it", "Check who owns the file and its folder."),
    sqlite3.SQLITE_NOTADB: ("it is not a database of this program", "Move it away or name another folder."),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", "Restore it from a copy or move it away."),
}
"""Why, and what to do, by primary result code."""


def refusal(error: sa.exc.DBAPIError) -> tuple[str, str]:
    """Why SQLite refused, as the end of a sentence, and what to do about it."""
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return _BY_CODE.get(code, (f"the disk refused ({error.orig})", "Check the disk and try again."))
