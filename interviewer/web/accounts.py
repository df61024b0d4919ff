"""Who may log in on a shared machine, and who is whose mentor. In memory, passwords are salted and hashed (scrypt)."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from interviewer.storage.account_file import (
    IN_MEMORY,
    LONGEST,
    Account,
    Cost,
    Role,
    hashed,
    is_account,
    name_in,
    parse,
    read_lines,
)
from interviewer.web import identity
from interviewer.web.login_throttle import LoginThrottle, must_wait
from serving.errors import BadInputError

_AT_ONCE = 4

_LOG = logging.getLogger(__name__)


class Accounts:
    """Names with their passwords, roles, and groups.

    Args:
        given: a line of each, as ``account_file`` reads it.
        throttle: says how often one may try.

    Raises:
        BadInputError: one is no account, or a name comes twice.

    """

    def __init__(self, given: Sequence[str], throttle: LoginThrottle | None = None) -> None:
        self._throttle = throttle or LoginThrottle()
        # Each takes 16 MB and a thread that others wait for.
        self._hashing = asyncio.Semaphore(_AT_ONCE)
        self._known: dict[str, Account] = {}
        for line in given:
            account = parse(line)
            if account.name in self._known:
                raise BadInputError(f"Two accounts have the name {account.name}.", hint="Remove one.")
            self._known[account.name] = account
        # Names are not told apart by how long a refusal takes: all take as long as the slowest one.
        costs = {account.password.cost for account in self._known.values()} or {IN_MEMORY}
        self._fillers = {cost: hashed(secrets.token_hex(16), cost) for cost in costs}

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who may log in."""
        return tuple(self._known)

    @property
    def plain(self) -> tuple[str, ...]:
        """Those whose password was given as it is."""
        return tuple(name for name, account in self._known.items() if account.plain)

    def candidates_of(self, name: str | None) -> tuple[str, ...]:
        """The candidates of somebody's group where they are its mentor; nobody for everybody else."""
        mentor = self._known.get(name or "")
        return self._in_group(mentor.group, Role.CANDIDATE) if mentor and mentor.role is Role.MENTOR else ()

    def mentors_of(self, name: str | None) -> tuple[str, ...]:
        """The mentors of a candidate's group; nobody for everybody else."""
        candidate = self._known.get(name or "")
        return self._in_group(candidate.group, Role.MENTOR) if candidate and candidate.role is Role.CANDIDATE else ()

    def groups_of(self, name: str | None) -> tuple[str, ...]:
        """The groups that somebody belongs to: one at most."""
        account = self._known.get(name or "")
        return (account.group,) if account is not None and account.group else ()

    def is_mentor(self, name: str | None) -> bool:
        """Whether that is a mentor."""
        account = self._known.get(name or "")
        return account is not None and account.role is Role.MENTOR

    def _in_group(self, group: str, role: Role) -> tuple[str, ...]:
        if not group:
            return ()
        held = (one for one in self._known.values() if one.group == group and one.role is role)
        return tuple(one.name for one in held)

    def matches(self, name: str, password: str) -> bool:
        """Whether that is the password of that name."""
        account = self._known.get(name)
        own: Cost | None = account.password.cost if account is not None else None
        for cost, filler in self._fillers.items():
            if cost != own:
                filler.matches(password)
        return account is not None and account.password.matches(password)

    async def check(self, name: str, password: str) -> bool:
        """The same for a log-in on the page, while others go on: hashing takes some 50 to 250 ms on purpose.

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

    A password that stands in the file as it is is taken, and the log says how to hash it.

    Raises:
        BadInputError: they cannot be read, or others may read the file.

    """
    lines = list(given)
    if file is not None:
        held = [line for line in read_lines(file) if is_account(line)]
        if not held:
            raise BadInputError(
                f"There are no accounts in {file}.", hint=f"Add one: `python app.py account NAME --auth-file {file}`."
            )
        lines += held
    if not lines:
        return None
    accounts = Accounts(lines)
    if file is not None and (plain := [name for name in accounts.plain if name in {name_in(one) for one in held}]):
        _LOG.warning(
            "%s holds %s as it is. Run `python app.py account --auth-file %s` once: it hashes every password in the "
            "file, and everybody logs in as before.",
            *(file, "a password" if len(plain) == 1 else f"{len(plain)} passwords", file),
        )
    return accounts
