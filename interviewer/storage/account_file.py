"""The file of accounts: who may log in, with which password, in which role and group.

A line is ``NAME:PASSWORD`` as somebody types it, or ``NAME:HASH[:ROLE[:GROUP]]`` as ``app.py account`` writes it. The
hash is scrypt (RFC 7914), which Python has, in the form that other programs write too:
``$scrypt$ln=14,r=8,p=5$SALT$DIGEST``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import stat
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from serving.atomic import write_atomic
from serving.errors import BadInputError

SHORTEST = 8
"""Characters of the shortest password that is taken."""

LONGEST = 1024
"""Characters of the longest name or password that is looked at."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
_LETTERS = "lowercase letters, digits, dots, dashes, and underscores"
_HINT = f"Write NAME:PASSWORD, or use `python app.py account NAME`; a name is made of {_LETTERS}."

_SCHEME = "$scrypt$"
_HASH = re.compile(r"\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)")

_LENGTH = 32
"""Bytes of a digest."""

_MOST_MEMORY = 2**28
"""Bytes that one hash may take: a line with more is a mistake, and would stop every log-in."""


class Role(StrEnum):
    """What an account is for."""

    CANDIDATE = "candidate"
    MENTOR = "mentor"


class Cost(NamedTuple):
    """What a hash costs: 2 to the power of ``ln`` blocks of ``r`` times 128 bytes, ``p`` times over."""

    ln: int
    r: int
    p: int


STORED = Cost(14, 8, 5)
"""Of what is written to a file, which may be copied and guessed at: what OWASP recommends with 16 MB."""

IN_MEMORY = Cost(14, 8, 1)
"""Of a password that stands in the file as it is: nobody gets hold of its hash."""


class PasswordHash(NamedTuple):
    """A password as it is kept."""

    cost: Cost
    salt: bytes
    digest: bytes

    def matches(self, password: str) -> bool:
        """Whether that is the password."""
        return hmac.compare_digest(_digest(password, self.salt, self.cost), self.digest)

    def __str__(self) -> str:
        """The hash as a line has it."""
        ln, r, p = self.cost
        return f"{_SCHEME}ln={ln},r={r},p={p}${_encoded(self.salt)}${_encoded(self.digest)}"


class Account(NamedTuple):
    """Somebody who may log in.

    Attributes:
        name: under which they do.
        password: hashed.
        role: what they may do.
        group: whom they belong to; empty where to nobody.
        plain: whether their password stood in the line as it is.

    """

    name: str
    password: PasswordHash
    role: Role = Role.CANDIDATE
    group: str = ""
    plain: bool = False

    @property
    def line(self) -> str:
        """The account as a line, its password hashed."""
        parts = [self.name, str(self.password)]
        if self.group or self.role is not Role.CANDIDATE:
            parts += [self.role.value, *([self.group] if self.group else [])]
        return ":".join(parts)


def hashed(password: str, cost: Cost = STORED) -> PasswordHash:
    """Returns a password as it is kept, with a salt of its own."""
    salt = secrets.token_bytes(16)
    return PasswordHash(cost, salt, _digest(password, salt, cost))


def made(name: str, password: str, role: Role = Role.CANDIDATE, group: str = "", *, cost: Cost = STORED) -> Account:
    """An account of that name and password.

    Raises:
        BadInputError: the name or the group is none, the password is too short, or a mentor has no group.

    """
    checked_names(name, role, group)
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInputError(f"The password of {name} is not {SHORTEST} to {LONGEST:,} characters long.", hint=_HINT)
    return Account(name, hashed(password, cost), role, group)


def parse(line: str) -> Account:
    """The account of a line.

    Raises:
        BadInputError: it is none; the password is not told.

    """
    name, _, rest = line.partition(":")
    name = name.strip()
    if not rest.startswith(_SCHEME):
        return made(name, rest, cost=IN_MEMORY)._replace(plain=True)
    text, *more = rest.strip().split(":")
    password = _read_hash(text)
    if password is None or len(more) > 2:
        raise BadInputError(
            "An account with a hashed password cannot be read.",
            hint="A line is NAME:HASH, NAME:HASH:ROLE, or NAME:HASH:ROLE:GROUP; `python app.py account` makes one.",
        )
    role, group = [*more, "", ""][:2]
    if role and role not in set(Role):
        raise BadInputError(f"The account {name} has an unknown role.", hint=f"A role is one of: {', '.join(Role)}.")
    account = Account(name, password, Role(role or Role.CANDIDATE), group)
    checked_names(name, account.role, group)
    return account


def is_name(text: str) -> bool:
    """Whether an account, or a group, can be called that."""
    return _NAME.fullmatch(text) is not None


def checked_names(name: str, role: Role, group: str) -> None:
    """Checks what an account is called and belongs to.

    Raises:
        BadInputError: the name or the group is none, or a mentor has no group.

    """
    if not is_name(name):
        raise BadInputError("An account cannot be read.", hint=_HINT)
    if group and not is_name(group):
        raise BadInputError(f"The group of {name} cannot be read.", hint=f"A group is made of {_LETTERS}.")
    if role is Role.MENTOR and not group:
        raise BadInputError(f"The mentor {name} has no group.", hint="Name the group, such as --group autumn.")


def read_lines(file: Path) -> list[str]:
    """The lines of a file of accounts.

    Raises:
        BadInputError: it cannot be read, or others may read it.

    """
    try:
        shared = stat.S_IMODE(file.stat().st_mode) & 0o077
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadInputError(f"{file} cannot be read: {why}.") from error
    if shared:
        raise BadInputError(f"Others on this machine can read {file}.", hint=f"Run `chmod 600 {file}`.")
    return text.splitlines()


def is_account(line: str) -> bool:
    """Whether a line of the file is that of an account: neither empty nor a remark."""
    return bool(line.strip()) and not line.startswith("#")


def name_in(line: str) -> str:
    """The name in the line of an account."""
    return line.partition(":")[0].strip()


def put(file: Path, account: Account) -> None:
    """Write an account into a file, in the place of that of its name; the file is made where it is missing.

    Raises:
        BadInputError: the file cannot be read, or others may read it.
        StorageError: the disk refused.

    """
    lines = read_lines(file) if file.exists() else []
    named = [is_account(line) and name_in(line) == account.name for line in lines]
    lines = [account.line if same else line for line, same in zip(lines, named, strict=True)]
    _write(file, lines if any(named) else [*lines, account.line])


def hash_all(file: Path) -> int:
    """Hash every password that stands in a file as it is; returns how many there were.

    Raises:
        BadInputError: the file or an account in it cannot be read; nothing was written.
        StorageError: the disk refused.

    """
    lines, done = read_lines(file), 0
    for number, line in enumerate(lines):
        if is_account(line) and (account := parse(line)).plain:
            lines[number] = account._replace(password=hashed(line.partition(":")[2])).line
            done += 1
    if done:
        _write(file, lines)
    return done


def _write(file: Path, lines: Sequence[str]) -> None:
    write_atomic(file, "".join(f"{line}\n" for line in lines), mode=0o600)


def _read_hash(text: str) -> PasswordHash | None:
    found = _HASH.fullmatch(text)
    if found is None:
        return None
    cost = Cost(int(found[1]), int(found[2]), int(found[3]))
    try:
        salt, digest = (base64.b64decode(each + "=" * (-len(each) % 4), validate=True) for each in (found[4], found[5]))
    except binascii.Error:
        return None
    known = min(cost) > 0 and cost.p <= 16 and _memory(cost) <= _MOST_MEMORY and len(digest) == _LENGTH
    return PasswordHash(cost, salt, digest) if known else None


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode().rstrip("=")


def _memory(cost: Cost) -> int:
    return int(128 * cost.r * 2**cost.ln)


def _digest(password: str, salt: bytes, cost: Cost) -> bytes:
    # OpenSSL counts a little beside the blocks.
    room = _memory(cost) + 128 * cost.r * (cost.p + 2) + 2**20
    return hashlib.scrypt(password.encode(), salt=salt, n=2**cost.ln, r=cost.r, p=cost.p, maxmem=room, dklen=_LENGTH)
