"""Who may log in on a shared machine. Passwords are kept in memory only, salted and hashed (scrypt, RFC 7914)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from interviewer.web import identity
from interviewer.web.login_throttle import LoginThrottle, must_wait
from serving.errors import BadInputError

SHORTEST = 8
"""Characters of the shortest password that is taken."""

LONGEST = 1024
"""Characters of the longest name or password that is looked at."""

_AT_ONCE = 4

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
_HINT = "Write NAME:PASSWORD; a name is made of lowercase letters, digits, dots, dashes, and underscores."


class _Hashed(NamedTuple):
    salt: bytes
    digest: bytes


class Accounts:
    """Names with their passwords.

    Args:
        given: ``NAME:PASSWORD`` each.
        throttle: says how often one may try.

    Raises:
        BadInputError: one is no name with a password, or a name comes twice.

    """

    def __init__(self, given: Sequence[str], throttle: LoginThrottle | None = None) -> None:
        self._throttle = throttle or LoginThrottle()
        # Each takes 16 MB and a thread that others wait for.
        self._hashing = asyncio.Semaphore(_AT_ONCE)
        self._known: dict[str, _Hashed] = {}
        for line in given:
            name, colon, password = line.partition(":")
            name = name.strip()
            if not colon or not _NAME.fullmatch(name):
                raise BadInputError("An account cannot be read.", hint=_HINT)
            if len(password) < SHORTEST:
                raise BadInputError(f"The password of {name} is shorter than {SHORTEST} characters.", hint=_HINT)
            if name in self._known:
                raise BadInputError(f"Two accounts have the name {name}.", hint="Remove one.")
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
        """The same for a log-in on the page, while others go on: hashing takes some 50 ms on purpose.

        Raises:
            HTTPException: it was tried too often; the password was not looked at.

        """
        if max(len(name), len(password)) > LONGEST:
            return False
        address = identity.address()
        if wait := self._throttle.begin(name, address):
            raise must_wait(wait)
        async with self._hashing:
            matches = await run_in_threadpool(self.matches, name, password)
        if matches:
            self._throttle.succeeded(name, address)
        return matches


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
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise BadInputError(f"{file} cannot be read: {why}.") from error
        if shared:
            raise BadInputError(f"Others on this machine can read {file}.", hint=f"Run `chmod 600 {file}`.")
        lines += [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            raise BadInputError(f"There are no accounts in {file}.", hint=_HINT)
    return Accounts(lines) if lines else None


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
