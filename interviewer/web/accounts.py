"""Who may log in on a shared machine. Passwords are kept in memory only, salted and hashed (scrypt, RFC 7914)."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from serving.errors import BadInputError

SHORTEST = 8
"""Characters of the shortest password that is taken."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
_HINT = "Write NAME:PASSWORD; a name is made of small letters, digits, dots, dashes and underscores."


class _Hashed(NamedTuple):
    salt: bytes
    digest: bytes


class Accounts:
    """Names with their passwords.

    Args:
        given: ``NAME:PASSWORD`` each.

    Raises:
        BadInputError: one is no name with a password, or a name comes twice.

    """

    def __init__(self, given: Sequence[str]) -> None:
        self._known: dict[str, _Hashed] = {}
        for line in given:
            name, colon, password = line.partition(":")
            name = name.strip()
            if not colon or not _NAME.fullmatch(name):
                raise BadInputError("An account cannot be read.", hint=_HINT)
            if len(password) < SHORTEST:
                raise BadInputError(f"The password of {name} is shorter than {SHORTEST} characters.", hint=_HINT)
            if name in self._known:
                raise BadInputError(f"There are two accounts of the name {name}.", hint="Remove one.")
            salt = secrets.token_bytes(16)
            self._known[name] = _Hashed(salt, _digest(password, salt))
        # An unknown name takes as long as a known one.
        salt = secrets.token_bytes(16)
        self._nobody = _Hashed(salt, _digest(secrets.token_hex(16), salt))

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who may log in."""
        return tuple(self._known)

    def matches(self, name: str, password: str) -> bool:
        """Whether that is the password of that name."""
        hashed = self._known.get(name, self._nobody)
        same = hmac.compare_digest(_digest(password, hashed.salt), hashed.digest)
        return same and name in self._known

    async def check(self, name: str, password: str) -> bool:
        """The same while others go on: hashing takes some 50 ms on purpose."""
        return await run_in_threadpool(self.matches, name, password)


def read_accounts(given: Sequence[str], file: Path | None) -> Accounts | None:
    """The accounts of the command line and of a file, one a line; ``None`` where none are given.

    Raises:
        BadInputError: they cannot be read, or others may read the file.

    """
    lines = list(given)
    if file is not None:
        try:
            shared = stat.S_IMODE(file.stat().st_mode) & 0o077
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
            raise BadInputError(f"{file} cannot be read: {why}.") from error
        if shared:
            raise BadInputError(f"Others on this machine may read {file}.", hint=f"Run `chmod 600 {file}`.")
        lines += [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            raise BadInputError(f"There are no accounts in {file}.", hint=_HINT)
    return Accounts(lines) if lines else None


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
