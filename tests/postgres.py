"""A real PostgreSQL server for tests: in a folder of its own, on a free port, killed and started again at will."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import psutil

from deploy.local_database import initdb, server
from deploy.programs import give_to_nobody, not_as_root, program
from serving.llm.vllm_server import free_port

USER, PASSWORD = "keeper", "s3cret/@word"
PAGE = "page"
"""Who owns the databases, as ``createuser`` makes somebody: no superuser, whom row-level security does not bind."""

QUOTED = "s3cret%2F%40word"
"""The password as it stands in a URL."""

START_S = 120.0


def lacking() -> str:
    """Why no server can be started here; empty where one can."""
    if missing := [name for name in ("initdb", "postgres") if program(name) is None]:
        return f"no PostgreSQL here: {' and '.join(missing)} not found"
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL does not run as root, and there is no setpriv"
    return ""


class PostgresServer:
    """A server, and databases on it.

    Args:
        folder: empty; whoever runs the server may write to it.

    """

    def __init__(self, folder: Path) -> None:
        self._data, self._log = folder / "data", folder / "log"
        self._folder = folder
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        secret = folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        made = [*initdb(self._data, USER, secret), "--no-sync"]
        subprocess.run(not_as_root(made), check=True, capture_output=True, cwd=folder)

    def start(self) -> None:
        """Start it, again where it was killed, and wait until it answers."""
        command = server(self._data, self.port, fsync="off")
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(not_as_root(command), stdout=log, stderr=log, cwd=self._folder)
        end = time.monotonic() + START_S
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()[-2000:]
            assert time.monotonic() < end, "PostgreSQL did not come up"
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL to the server and every process of it."""
        assert self._process is not None
        parent = psutil.Process(self._process.pid)
        family = [parent, *parent.children(recursive=True)]
        parent.suspend()
        for each in family:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(signal.SIGKILL)
        self._process.wait()
        psutil.wait_procs(family, timeout=START_S)

    def close(self) -> None:
        """End it."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def database(self) -> str:
        """Makes an empty database; returns its URL."""
        name = f"interviews{next(self._numbers)}"
        if not self.sql(f"SELECT 1 FROM pg_roles WHERE rolname = '{PAGE}'"):
            self.sql(f"CREATE ROLE {PAGE} LOGIN PASSWORD '{PASSWORD}'")
        self.sql(f"CREATE DATABASE {name} OWNER {PAGE}")
        return self.url(name)

    def url(self, name: str, *, user: str = PAGE, password: str = QUOTED) -> str:
        """The URL of a database."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{name}"

    def sql(self, statement: str, database: str = "postgres", user: str = USER) -> list[tuple[object, ...]]:
        """Run a statement behind the journal's back, as the server's administrator if nobody else is named."""
        import psycopg

        with psycopg.connect(self.url(database, user=user), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url("postgres", user=USER), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def running() -> Iterator[PostgresServer]:
    """A server that runs, in a folder that is deleted with it."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2e9
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=memory if roomy else None))
    try:
        give_to_nobody(folder)
        server = PostgresServer(folder)
        try:
            server.start()
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(folder)
