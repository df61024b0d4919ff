"""The command that makes an account."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from interviewer.cli.output import err, say
from interviewer.text import count
from serving.errors import BadInputError


def account(
    name: Annotated[str | None, typer.Argument(help="Who may log in.")] = None,
    role: Annotated[
        Literal["candidate", "mentor"] | None,
        typer.Option(help="A mentor reads the interviews of their group; a candidate unless said otherwise."),
    ] = None,
    group: Annotated[str | None, typer.Option(metavar="NAME", help="The group that they belong to.")] = None,
    auth_file: Annotated[
        Path | None,
        typer.Option(
            help="Put the account into this file, in the place of that of its name; without a name, hash every "
            "password in the file. If left out, the line is printed."
        ),
    ] = None,
) -> None:
    """Make an account for `serve --auth-file`: asks for the password, and keeps only its hash."""
    from interviewer.storage import account_file
    from interviewer.storage.account_file import Role, is_account, name_in, parse, read_lines

    if name is None:
        if auth_file is None or role or group:
            raise BadInputError("Nobody is named.", hint="Name somebody, or a file whose passwords are to be hashed.")
        done = account_file.hash_all(auth_file)
        err.print(f"{count(done, 'password')} hashed." if done else "Every password is hashed already.")
        return
    # Who has an account keeps the role and the group that are not named anew.
    lines = read_lines(auth_file) if auth_file is not None and auth_file.exists() else []
    held = next((parse(line) for line in lines if is_account(line) and name_in(line) == name), None)
    kept = Role(role) if role else held.role if held else Role.CANDIDATE
    belongs = group if group is not None else held.group if held else ""
    # Checked before anybody types a password.
    account_file.checked_names(name, kept, belongs)
    made = account_file.made(name, _password(), kept, belongs)
    if auth_file is None:
        say(made.line)
        return
    account_file.put(auth_file, made)
    err.print(f"{name} is in {auth_file}. A page that runs takes it when it is started again.", soft_wrap=True)


def _password() -> str:
    """What the person types twice without seeing it; where nobody sits there, what standard input holds.

    Raises:
        BadInputError: standard input holds several lines that differ.

    """
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    lines = sys.stdin.read().splitlines()
    if len(set(lines)) > 1:
        raise BadInputError(
            "Standard input holds several lines that differ.", hint="Give the password in one line, or twice the same."
        )
    return lines[0] if lines else ""
