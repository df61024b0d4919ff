"""What PostgreSQL refuses, in a person's terms."""

from __future__ import annotations

import re

import sqlalchemy as sa

_BY_STATE = {
    "28P01": ("it refused the user name or the password", "Check both."),
    "28000": ("it refused the user name or the password", "Check both, and what the server's pg_hba.conf allows."),
    "3D000": ("the server has no database of that name", "Make it with `createdb`, or check the URL."),
    "42501": ("this user may not do that there", "Give the user the right to make and use tables, or name another."),
    "25006": ("it is read-only", "Name the server that takes changes, not its copy."),
    "53100": ("the server's disk is full", "Make room there and try again."),
    "53300": ("the server has no connection left", "Close others, or raise its max_connections, and try again."),
    "42P01": ("its tables are not those of this version", "If a newer version has changed them, update this one."),
    "42703": ("its tables are not those of this version", "If a newer version has changed them, update this one."),
    "55P03": ("somebody else holds the interview", "Try again in a moment."),
}
"""Why, and what to do, by SQLSTATE."""

_GONE = (
    "the connection to the server was lost",
    "Nothing stored is lost. Try again once the server answers; the program need not be started again.",
)
_SILENT = ("no PostgreSQL server answers there", "Start it, or check the URL.")

_ON_CONNECTING = (
    (r"password authentication failed|no password supplied|role \".*\" does not exist", _BY_STATE["28P01"]),
    (r"authentication failed|no pg_hba\.conf entry", _BY_STATE["28000"]),
    (r"database \".*\" does not exist", _BY_STATE["3D000"]),
    (r"too many (clients|connections)|connection slots are reserved", _BY_STATE["53300"]),
    (r"starting up|shutting down|recovery mode", ("its server is starting or stopping", "Try again in a moment.")),
    (r"refused|No such file|timeout|timed out|not known|resolve|translate|unreachable|No route", _SILENT),
)
"""The same by what a server, or the library, says where no connection comes about: there is no SQLSTATE then."""


def refusal(error: sa.exc.DBAPIError) -> tuple[str, str]:
    """Why a database cannot be used, and what to do about it: no sentence of it holds a password or a person's words.

    Args:
        error: as SQLAlchemy raised it.

    """
    state = getattr(error.orig, "sqlstate", None)
    if state in _BY_STATE:
        return _BY_STATE[state]
    if error.connection_invalidated or (state or "").startswith(("57P", "08")):
        return _GONE
    said = str(error.orig)
    if state is None:
        for pattern, told in _ON_CONNECTING:
            if re.search(pattern, said):
                return told
    first = next(iter(said.splitlines()), "").strip().rstrip(".")
    return f"the server refused ({first})", "Check the server and the URL, and try again."
