"""The schema of a journal's database: how new it is, and which versions of the program may use it.

Each migration states ``compatible_from``: the revision of the oldest program that goes on reading and writing once it
has run. The database keeps the newest of these statements. So a program of an earlier version, which knows nothing of
a migration, can tell whether it may go on: during a rolling upgrade, pages of both versions use one database.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from serving.errors import NewerError, StorageError

MIGRATIONS = Path(__file__).parent / "migrations"

HEAD = max(path.name for path in (MIGRATIONS / "versions").glob("v*.py"))[1:5]
"""The newest migration. Found without Alembic, which takes longer to import than all the rest of opening."""

_COMPATIBILITY = sa.table("compatibility", sa.column("compatible_from", sa.Text))

OLDEST = sa.select(_COMPATIBILITY.c.compatible_from).scalar_subquery()
"""The oldest revision whose programs may use the database."""


def is_ready(connection: sa.Connection, name: str) -> bool:
    """Whether a database can be used as it is; otherwise it has to be upgraded.

    Args:
        connection: to the database.
        name: what it is called in messages.

    Raises:
        NewerError: a newer version has changed it in a way that this version does not know.

    """
    tables = sa.inspect(connection)
    if not tables.has_table("alembic_version"):
        return False
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    if version is None or version == HEAD:
        return version is not None
    if version < HEAD:
        return False
    check(oldest(connection) if tables.has_table("compatibility") else version, name)
    return True


def oldest(connection: sa.Connection) -> str:
    """The oldest revision whose programs may use a database."""
    found: str = connection.execute(sa.select(_COMPATIBILITY.c.compatible_from)).scalar_one()
    return found


def check(compatible_from: str, name: str) -> None:
    """Refuse to go on where this program is older than the database allows.

    Args:
        compatible_from: the oldest revision whose programs may use the database.
        name: what it is called in messages.

    Raises:
        NewerError: this program is older.

    """
    if compatible_from > HEAD:
        raise NewerError(
            f"The journal {name} was changed by a newer version of this program, and this version cannot use it any "
            "more.",
            hint="Nothing is lost. Update this program, or name another folder or database.",
        )


def upgrade(connection: sa.Connection, name: str) -> None:
    """Run the migrations that a database lacks, in the transaction that is open.

    Raises:
        StorageError: the database is at a revision that is none of ours.

    """
    from alembic import command  # noqa: PLC0415 - slow to import, seldom needed
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(
            f"The journal {name} is at a revision that this program does not know.",
            hint="Update the program, or name another folder or database.",
        ) from error
    stated = max(each.module.compatible_from for each in ScriptDirectory.from_config(config).walk_revisions())
    connection.execute(sa.update(_COMPATIBILITY).values(compatible_from=stated))
