"""A PostgreSQL server of our own: in a folder, for this machine only."""

from __future__ import annotations

import secrets
import subprocess
from pathlib import Path

from deploy.programs import give_to_nobody, not_as_root, program
from serving.errors import ServiceMissingError, StorageError

USER, NAME = "interviewer", "interviews"
"""The server's superuser, and the database of the pages."""

PAGE = "page"
"""Whom the database belongs to: no superuser, since row-level security binds none."""

_OWNED = ("TABLE events", "TABLE alembic_version", "FUNCTION events_refuse()")
"""What a database of before row-level security has; it belonged to the superuser."""


def initdb(data: Path, user: str, secret: Path) -> list[str]:
    """Returns the command line that makes the files of a server: texts in UTF-8, and nobody gets in without a password.

    Args:
        data: where they are made.
        user: who may do everything.
        secret: file of their password.

    """
    made = [program("initdb") or "initdb", "-D", str(data), "-U", user, "-A", "scram-sha-256"]
    return [*made, f"--pwfile={secret}", "-E", "UTF8", "--locale=C.UTF-8"]


def server(data: Path, port: int, **settings: str) -> list[str]:
    """Returns the command line of a server on the loopback address.

    Args:
        data: its files.
        port: where it listens.
        settings: further settings, by their names.

    """
    settings = {"listen_addresses": "127.0.0.1", "port": str(port), "unix_socket_directories": "", **settings}
    command = [program("postgres") or "postgres", "-D", str(data)]
    return command + [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


class LocalDatabase:
    """The database of a folder; what is in it stays there.

    Args:
        folder: made if it is missing; of nobody else where we are root.
        port: of the loopback address.

    Raises:
        StorageError: the folder cannot be made.

    """

    def __init__(self, folder: Path, port: int) -> None:
        self._data, self._secret, self._port = folder / "data", folder / "password", port
        try:
            folder.mkdir(parents=True, exist_ok=True)
            give_to_nobody(folder)
        except OSError as error:
            raise StorageError(
                f"The folder {folder} cannot be made: {error.strerror}.", hint="Name another one with --folder."
            ) from error

    @property
    def url(self) -> str:
        """The address of the database, with its password."""
        return self._url(NAME, PAGE)

    def prepare(self) -> None:
        """Make the files of the server where there are none.

        Raises:
            ServiceMissingError: ``initdb`` failed.

        """
        if (self._data / "PG_VERSION").exists():
            return
        self._secret.write_text(secrets.token_urlsafe(24), encoding="utf-8")
        give_to_nobody(self._secret)
        made = initdb(self._data, USER, self._secret)
        done = subprocess.run(
            not_as_root(made), capture_output=True, text=True, errors="replace", check=False, cwd=self._data.parent
        )
        if done.returncode:
            raise ServiceMissingError(f"No database can be made in {self._data}: {done.stderr.strip()}")

    def command(self) -> list[str]:
        """Returns the command line of the server."""
        return server(self._data, self._port)

    def answers(self) -> bool:
        """Whether the database can be used; it is made when the server is there for the first time."""
        import psycopg  # noqa: PLC0415 - the product does without it
        from psycopg import sql  # noqa: PLC0415

        try:
            with psycopg.connect(self._url("postgres", USER), connect_timeout=2, autocommit=True) as connection:
                if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (PAGE,)).fetchone() is None:
                    made = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
                    connection.execute(made.format(sql.Identifier(PAGE), self._password))
                owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s"
                found = connection.execute(owner, (NAME,)).fetchone()
                if found is None:
                    connection.execute(f"CREATE DATABASE {NAME} OWNER {PAGE}")
                elif found[0] != PAGE:
                    self._hand_over()
        except psycopg.OperationalError:
            return False
        return True

    def _hand_over(self) -> None:
        """Give the superuser's database of an earlier version to whom the pages are."""
        import psycopg  # noqa: PLC0415

        with psycopg.connect(self._url(NAME, USER)) as connection:
            if connection.execute("SELECT to_regclass('events')").fetchone() != (None,):
                for each in _OWNED:
                    connection.execute(f"ALTER {each} OWNER TO {PAGE}".encode())
            connection.execute(f"ALTER DATABASE {NAME} OWNER TO {PAGE}")

    @property
    def _password(self) -> str:
        return self._secret.read_text(encoding="utf-8")

    def _url(self, name: str, user: str) -> str:
        return f"postgresql://{user}:{self._password}@127.0.0.1:{self._port}/{name}"
