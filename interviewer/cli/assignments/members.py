"""Who gives assignments, and who gets them, by the file of accounts or by who has signed in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from serving import paths
from serving.errors import BadInputError

if TYPE_CHECKING:
    from interviewer.web.assignments.mentor_assignments import Directory


def mentor(directory: Directory, by: str, auth_file: Path | None) -> str:
    """The mentor in whose name something is done.

    Args:
        directory: knows everybody.
        by: who was named; may be empty.
        auth_file: the file of accounts that was read; ``None`` where none was given.

    Raises:
        BadInputError: nobody is named, somebody else than whose home it is, or no mentor.

    """
    own = paths.owner(paths.home())
    if own and by and own != by:
        raise BadInputError(f"This is the home of {own}.", hint="Leave --by out, or use the home of all accounts.")
    named = own or by
    if not named:
        raise BadInputError("Nobody is named.", hint="Say in whose name, with --by NAME.")
    check_known(directory, named, auth_file)
    if directory.is_mentor(named):
        return named
    if auth_file is None:
        raise BadInputError(
            f"{named} is a candidate: that is how they last signed in.",
            hint="`serve --oidc-mentors` names the group of mentors; or give --auth-file FILE, as `serve` has it.",
        )
    raise BadInputError(
        f"{named} is a candidate in {auth_file}, and this is for mentors.",
        hint=f"`account {named} --role mentor --group GROUP --auth-file {auth_file}` makes a mentor of an account.",
    )


def candidate(directory: Directory, named: str, auth_file: Path | None) -> None:
    """See that somebody can be given assignments.

    Raises:
        BadInputError: nobody knows them, they are a mentor, or in no group.

    """
    check_known(directory, named, auth_file)
    if directory.is_mentor(named):
        raise BadInputError(f"{named} is a mentor, and assignments are for candidates.")
    if not directory.groups_of(named):
        where = "in no group" if auth_file is None else f"in no group in {auth_file}"
        raise BadInputError(f"{named} is {where}, and assignments are given to groups.", hint="Ask your mentor.")


def check_known(directory: Directory, named: str, auth_file: Path | None) -> None:
    """See that somebody is known.

    Raises:
        BadInputError: they are not.

    """
    if named in directory.names:
        return
    if auth_file is None:
        raise BadInputError(
            f"No file of accounts was given, and nobody has signed in at this page as {named}.",
            hint="Give --auth-file FILE, as `serve` has it.",
        )
    raise BadInputError(
        f"There is no account {named} in {auth_file}.",
        hint=f"`account {named} --group GROUP --auth-file {auth_file}` makes one, with --role mentor that of a mentor.",
    )
