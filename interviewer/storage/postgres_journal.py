"""The journal in a PostgreSQL database, which many people and several machines may share.

Whoever works on an interview holds an advisory lock of the database, so that other processes, on this machine or
another, wait. The lock belongs to a connection; a thread that holds one therefore does everything over that connection,
and needs no second one.

Each transaction names the account that it is for, and the database shows it and takes from it only the rows of that
account (row-level security, migration 0004). So a query of ours that asks for too much finds no more. A transaction
that only reads, for a mentor, says so, and the database takes nothing from it (migration 0006).
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.event import listen

from interviewer.storage import schema
from interviewer.storage.postgres_trouble import refusal
from interviewer.storage.sql_journal import DIGESTED, EVENTS, SqlJournal
from serving.errors import BadInputError, ServiceMissingError, StorageError

log = logging.getLogger(__name__)

CONNECT_S = 10
"""Seconds until a server that does not answer is given up."""

PATIENCE_S = 30.0
"""Seconds to wait for somebody else who holds an interview."""

CONNECTIONS = 15
"""Most connections of one process; who needs another waits."""

_APPEND = sa.text(
    "INSERT INTO events (owner, session_id, seq, event_id, type, at, payload, digest) "
    "SELECT :owner, :session_id, COALESCE(MAX(seq), 0) + 1, :event_id, :type, :at, :payload, :digest "
    "FROM events WHERE owner = :owner AND session_id = :session_id "
    # In the same message, and after the table is locked: no migration can come between.
    "ON CONFLICT (owner, session_id, event_id) DO NOTHING RETURNING (SELECT compatible_from FROM compatibility)"
)

_FIELDS = [f"convert_to({name}, 'UTF8')" for name in DIGESTED]
_DIGEST = "encode(sha256(" + " || ".join(f"int8send(octet_length({each})) || {each}" for each in _FIELDS) + "), 'hex')"
"""``sql_journal.event_digest`` as PostgreSQL computes it."""

_SOUND = sa.or_(EVENTS.c.digest.is_(None), EVENTS.c.digest == sa.literal_column(_DIGEST))

_SCHEMA = "the schema"

_guard = threading.Lock()
_engines: dict[sa.URL, tuple[sa.Engine, int]] = {}
"""The engines in use, each with how many journals use it."""

_told: set[sa.URL] = set()
"""The databases of which it has been looked for whether they keep accounts apart."""


class _Held(threading.local):
    """What this thread holds: the connection that it uses, and the locks on it."""

    def __init__(self) -> None:
        self.connection: sa.Connection | None = None
        self.keys: set[int] = set()


class PostgresJournal(SqlJournal):
    """Interviews as lists of events in a PostgreSQL database.

    What ``append`` returned for is on the server's disk. Safe to use from several threads, processes and machines.

    Args:
        url: ``postgresql://USER:PASSWORD@HOST:PORT/DATABASE``, with libpq's parameters behind a question mark.
        owner: whose interviews they are; nobody else's can be seen.
        patience_s: how long to wait for somebody else who holds an interview.
        reads_only: whether the database is told to take nothing.

    Raises:
        BadInputError: the URL is none.
        ServiceMissingError: the package that speaks to PostgreSQL is not installed.
        StorageError: the database cannot be reached or used, or was written by a newer version.

    """

    def __init__(self, url: str, owner: str = "", *, patience_s: float = PATIENCE_S, reads_only: bool = False) -> None:
        self._owner, self._patience = owner, f"{round(patience_s * 1000)}ms"
        self._named = {"interviewer.reads" if reads_only else "interviewer.owner": f"={owner}"}
        self._thread = _Held()
        target = target_of(url)
        if importlib.util.find_spec("psycopg") is None:
            raise ServiceMissingError(
                "Interviews cannot be kept in PostgreSQL here: the package psycopg is not installed.",
                hint="Install it with `.venv/bin/pip install 'psycopg[binary]'`, or leave --database out.",
            )
        super().__init__(_lease(target), _shown(target))
        self._closed = False
        try:
            self._migrate()
            if owner and self._engine.url not in _told:
                self._look_for_row_security()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        if not self._closed:
            self._closed = True
            _give_back(self._engine)

    @contextmanager
    def lock(self, session_id: str) -> Iterator[None]:
        """Hold an interview, here and on every other machine; whoever holds it may do so again.

        Raises:
            StorageError: the database cannot be used, or somebody else holds the interview for too long.

        """
        key = self._key(session_id)
        with super().lock(session_id):
            if key in self._thread.keys:
                yield
                return
            with self._own_connection() as connection:
                with self._translated(), _transaction(connection, self._patiently):
                    connection.execute(sa.select(sa.func.pg_advisory_lock(key)))
                self._thread.keys.add(key)
                try:
                    yield
                finally:
                    self._thread.keys.discard(key)
                    self._unlock(connection, key)

    @contextmanager
    def transaction(self, named: Mapping[str, str] = MappingProxyType({})) -> Iterator[sa.Connection]:
        """A transaction for what else the database has of the account, under the same row-level security.

        Args:
            named: settings by which policies tell for whom it is, in place of the account's or beside it.

        Raises:
            StorageError: the database cannot be used; nothing was changed.

        """
        with self._connection(writes=True, named=named) as connection:
            schema.check(schema.oldest(connection), self._name)
            yield connection

    @contextmanager
    def changing_the_schema(self) -> Iterator[sa.Connection]:
        """The same for making tables: whoever else would make some waits.

        Raises:
            StorageError: the database cannot be used; nothing was changed.

        """
        with self.transaction() as connection:
            self._wait_for_schema(connection)
            yield connection

    @property
    def owner(self) -> str:
        """Whose interviews they are."""
        return self._owner

    def _unlock(self, connection: sa.Connection, key: int) -> None:
        if connection.invalidated:
            # The lock went with the connection.
            return
        try:
            with _transaction(connection, {}):
                connection.execute(sa.select(sa.func.pg_advisory_unlock(key)))
        except sa.exc.SQLAlchemyError:
            # What was done is stored; a connection that is thrown away takes its locks with it.
            connection.invalidate()

    @contextmanager
    def _connection(
        self, *, writes: bool = False, named: Mapping[str, str] = MappingProxyType({})
    ) -> Iterator[sa.Connection]:
        settings = {**self._named, **(self._patiently if writes else {}), **named}
        with self._own_connection() as connection, self._translated(), _transaction(connection, settings):
            yield connection

    @contextmanager
    def _own_connection(self) -> Iterator[sa.Connection]:
        """The connection of this thread, made where it has none; let go of by whom it was made for."""
        held = self._thread.connection
        if held is not None:
            if held.invalidated:
                raise StorageError(
                    f"The connection to the database {self._name} was lost.", hint="Nothing stored is lost. Try again."
                )
            yield held
            return
        with self._translated():
            made = self._engine.connect()
        with made:
            self._thread.connection = made
            try:
                yield made
            finally:
                self._thread.connection = None

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (UnicodeEncodeError, sa.exc.DataError) as error:
            # Half of a surrogate pair, or a zero character: no id of ours has one.
            raise BadInputError("An id of an interview or a request is not text.", hint="Reload the page.") from error
        except sa.exc.TimeoutError as error:
            raise StorageError(
                f"The database {self._name} cannot be used: too many requests at once wait for it.", hint="Try again."
            ) from error
        except sa.exc.DBAPIError as error:
            why, hint = refusal(error)
            raise StorageError(f"The database {self._name} cannot be used: {why}.", hint=hint) from error

    def _mine(self, table: sa.TableClause) -> sa.ColumnElement[bool]:
        mine: sa.ColumnElement[bool] = table.c.owner == self._owner
        return mine

    @property
    def _sound(self) -> sa.ColumnElement[bool]:
        return _SOUND

    def _text(self, column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        # PostgreSQL stores no text that is none.
        return column

    def _computed_once(self, rows: sa.Select[Any]) -> sa.Subquery:
        # An offset, none though it is, keeps the rows apart from what is made of them.
        return rows.offset(0).subquery()

    def _insert(self, connection: sa.Connection, row: dict[str, str]) -> str | None:
        # A statement of its own: the next one sees what whoever held the lock before has stored.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(self._key(row["session_id"]))))
        oldest: str | None = connection.execute(_APPEND, {**row, "owner": self._owner}).scalar()
        return oldest

    def _delete(self, connection: sa.Connection, chosen: sa.ColumnElement[bool]) -> int:
        connection.execute(sa.text("SET LOCAL interviewer.deletes = 'yes'"))
        return connection.execute(sa.delete(EVENTS).where(chosen)).rowcount

    def _wait_for_schema(self, connection: sa.Connection) -> None:
        # Summaries of all interviews may be being made.
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_number(_SCHEMA))))

    def _key(self, session_id: str) -> int:
        """The number of an interview's lock."""
        return _number("interview", self._owner, session_id)

    @property
    def _patiently(self) -> dict[str, str]:
        """How long the rest of a transaction waits for a lock, and that it is on the disk when it is over."""
        return {"lock_timeout": self._patience, "synchronous_commit": "on"}

    def _look_for_row_security(self) -> None:
        """Log where the database does not keep accounts apart: it binds no superuser."""
        with self._connection() as connection:
            active = connection.execute(sa.text("SELECT row_security_active('events')")).scalar()
        _told.add(self._engine.url)
        if not active:
            log.warning(
                "The user of the database %s sees every account's rows: a superuser is not bound by row-level "
                "security. Make a user as docs/machines/postgresql.md says.",
                self._name,
            )


@contextmanager
def _transaction(connection: sa.Connection, settings: Mapping[str, str]) -> Iterator[None]:
    """A transaction with settings of its own: whoever gets the connection next has to name an account anew."""
    connection.execution_options(settings=settings)
    with connection.begin():
        yield


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction and say what it is for, in one message: a second one would slow each read by half."""
    settings = connection.get_execution_options().get("settings", {})
    quoted = {name: value.replace("'", "''") for name, value in settings.items()}
    said = "; ".join(["BEGIN", *(f"SET LOCAL {name} = '{value}'" for name, value in quoted.items())])
    # Without parameters, since only then several statements may be sent at once.
    connection.exec_driver_sql(said, execution_options={"no_parameters": True})


def target_of(url: str) -> sa.URL:
    """The database that a URL names."""
    try:
        target = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        # Without its cause, which may show the password.
        raise BadInputError(
            "The URL of the PostgreSQL database cannot be read.",
            hint="It looks like postgresql://USER:PASSWORD@HOST:5432/DATABASE; in a name or password, write @ as %40, "
            "/ as %2F, and : as %3A.",
        ) from None
    return target.set(drivername="postgresql+psycopg")


def _lease(target: sa.URL) -> sa.Engine:
    """The engine of a database: one for all journals of this process, since each has connections of its own."""
    with _guard:
        engine, leases = _engines.get(target) or (_engine(target), 0)
        _engines[target] = engine, leases + 1
        return engine


def _give_back(engine: sa.Engine) -> None:
    """Lets go of an engine; whoever does so last closes its connections."""
    with _guard:
        _, leases = _engines[engine.url]
        if leases > 1:
            _engines[engine.url] = engine, leases - 1
            return
        del _engines[engine.url]
    engine.dispose()


def _engine(target: sa.URL) -> sa.Engine:
    engine = sa.create_engine(
        target,
        # The driver begins no transactions: ``_begin`` does.
        isolation_level="AUTOCOMMIT",
        connect_args={"connect_timeout": CONNECT_S} if "connect_timeout" not in target.query else {},
        pool_size=5,
        max_overflow=CONNECTIONS - 5,
        # Asked first whether it still is one: the server may have been started again since.
        pool_pre_ping=True,
        # Answers of people stand in no error and no log.
        hide_parameters=True,
    )
    listen(engine, "begin", _begin)
    return engine


def _shown(target: sa.URL) -> str:
    """A database as a person is told of it: without the password, and without parameters, which may hold one too."""
    user = f"{target.username}@" if target.username else ""
    port = f":{target.port}" if target.port else ""
    return f"{user}{target.host or 'localhost'}{port}/{target.database or ''}".rstrip("/")


def _number(*names: str) -> int:
    """A number of 64 bits with a sign, as advisory locks have; other programs' locks have others."""
    text = "\0".join(("torch-interviewer", *names))
    return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest(), signed=True)
