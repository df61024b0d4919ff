"""A queue of jobs in the PostgreSQL database of the interviews, from which workers on any machine take.

The queue is Procrastinate's: a job is taken by one worker at a time, and a worker that has not been heard of for
``SILENT_S`` seconds is taken for dead; its job is done again. So a job may be done twice, and what it does has to
count once. The queue's tables lie in a PostgreSQL schema of their own, named after the version of their layout, and
hold no more of a job than its name, the account, and the interview. They are for all accounts; a worker sees an
interview only by naming its account, as a page does.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from interviewer.storage.postgres_journal import CONNECT_S, PostgresJournal, target_of
from serving.errors import BadInputError, ServiceMissingError, StorageError

if TYPE_CHECKING:
    import procrastinate
    from procrastinate.worker import Worker

log = logging.getLogger(__name__)

Work = Callable[[str, str], None]
"""Does a job, given the account and the interview. What it raises may pass, so the job is done again later."""

Look = Callable[[], object]
"""Looks for work that nobody has queued, and queues it."""

BEAT_S = 5.0
"""Seconds between two signs of life of a worker."""

SILENT_S = 30.0
"""Seconds without one until a worker is taken for dead."""

LOOK_S = 10
"""Seconds between two looks for jobs of the dead, and for work that nobody has queued."""

AGAIN_S = 30
"""Seconds until what failed is done again; as many more each time."""

AWAY_S = 5.0
"""Seconds between two tries to reach a database that does not answer."""

_SWEEP = "sweep"
_QUEUE = "interviews"


class JobQueue:
    """The queue of a database; made where it is missing.

    Args:
        url: ``postgresql://…``, as for a journal.

    Raises:
        BadInputError: the URL names no PostgreSQL database.
        ServiceMissingError: a package that it needs is not installed.
        StorageError: the database cannot be used.

    """

    def __init__(self, url: str) -> None:
        if not url.startswith("postgresql://"):
            raise BadInputError(
                "Jobs need a PostgreSQL database.",
                hint="Name it with --database postgresql://USER@HOST/DATABASE, or in INTERVIEWER_DATABASE.",
            )
        if importlib.util.find_spec("procrastinate") is None:
            raise ServiceMissingError(
                "There are no jobs here: the package procrastinate is not installed.",
                hint="Install it with `.venv/bin/pip install 'psycopg[binary]' procrastinate`.",
            )
        self._url = url
        self._schema = _schema_name()
        with PostgresJournal(url) as journal:
            self._make(journal)

    @contextmanager
    def joining(self, connection: sa.Connection) -> Iterator[None]:
        """Has a transaction see the queue's tables as well, until the end of the block."""
        before = connection.execute(
            sa.text("SELECT current_setting('search_path'), set_config('search_path', :path, true)"),
            {"path": f"{self._schema}, {connection.execute(sa.text('SHOW search_path')).scalar()}"},
        ).scalar()
        yield
        connection.execute(sa.text("SELECT set_config('search_path', :path, true)"), {"path": before})

    def put(self, connection: sa.Connection, name: str, owner: str, sessions: Sequence[str]) -> list[int]:
        """Queue a job an interview, in a transaction that ``joining`` was called for; returns the jobs' numbers."""
        import procrastinate  # noqa: PLC0415 - installed by few

        if not sessions:
            return []
        app = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())
        deferrer = app.configure_task(name, queue=_QUEUE, connection=connection.connection.driver_connection)
        given: list[dict[str, Any]] = [{"owner": owner, "session": session} for session in sessions]
        return deferrer.batch_defer(*given)

    def work(self, kinds: Mapping[str, Work], tell: Callable[[str], None], looks: Sequence[Look] = ()) -> None:
        """Do jobs, one after the other, until the process is told to stop; the job in hand is finished then.

        Args:
            kinds: what jobs of a name do.
            tell: is told what goes on besides the jobs, in sentences.
            looks: are done every ``LOOK_S`` seconds by one of the workers that are free.

        """
        asyncio.run(_Shift(self._url, self._schema, kinds, tell, looks).run())

    def _make(self, journal: PostgresJournal) -> None:
        from procrastinate.schema import SchemaManager  # noqa: PLC0415 - installed by few

        def there(connection: sa.Connection) -> bool:
            # Not to_regclass: it may remember from before the wait that there was none.
            return sa.inspect(connection).has_table("procrastinate_jobs", schema=self._schema)

        with journal.transaction() as connection:
            if there(connection):
                return
        with journal.changing_the_schema() as connection:
            if there(connection):
                return
            connection.exec_driver_sql(f"CREATE SCHEMA {self._schema}")
            connection.exec_driver_sql(f"SET LOCAL search_path = {self._schema}")
            connection.exec_driver_sql(SchemaManager.get_schema(), execution_options={"no_parameters": True})


class _Shift:
    """A worker from its start until it is told to stop, over as many connections as that takes."""

    def __init__(
        self,
        url: str,
        schema: str,
        kinds: Mapping[str, Work],
        tell: Callable[[str], None],
        looks: Sequence[Look],
    ) -> None:
        self._url, self._schema, self._kinds, self._tell, self._looks = url, schema, kinds, tell, looks
        self._stopping = False
        self._worker: Any = None

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, self._stop)
        away = False
        while not self._stopping:
            try:
                await self._connected()
            except Exception as error:
                if not _is_away(error):
                    raise
            if self._stopping:
                break
            if not away:
                self._tell("The database does not answer; it is tried again until it does.")
            away = True
            await asyncio.sleep(AWAY_S)

    def _stop(self) -> None:
        self._stopping = True
        self._tell("Stopping after the job in hand. Press Ctrl-C again to stop at once; it is done again then.")
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(sign)
            signal.signal(sign, signal.SIG_DFL)
        if self._worker is not None:
            self._worker.stop()

    async def _connected(self) -> None:
        """Works until told to stop, or the connection is lost."""
        from procrastinate.worker import Worker  # noqa: PLC0415 - installed by few

        app = _app(self._url, self._schema, self._kinds, self._looks)
        async with app.open_async():
            worker = self._worker = Worker(
                app=app,
                queues=[_QUEUE],
                delete_jobs="always",
                install_signal_handlers=False,
                update_heartbeat_interval=BEAT_S,
                stalled_worker_timeout=SILENT_S,
            )
            beating = asyncio.create_task(_beat(app, worker))
            try:
                await self._worker.run()
            finally:
                self._worker = None
                beating.cancel()


def _app(url: str, schema: str, kinds: Mapping[str, Work], looks: Sequence[Look]) -> procrastinate.App:
    import procrastinate  # noqa: PLC0415 - installed by few
    from procrastinate.jobs import Status  # noqa: PLC0415 - installed by few

    async def configure(connection: Any) -> None:
        await connection.execute(f"SET search_path = {schema}")
        await connection.commit()

    libpq = target_of(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connector = procrastinate.PsycopgConnector(
        conninfo=libpq,
        configure=configure,
        kwargs={"connect_timeout": CONNECT_S},
        min_size=1,
        max_size=3,
        timeout=CONNECT_S,
    )
    app = procrastinate.App(connector=connector)
    retry = procrastinate.RetryStrategy(wait=AGAIN_S, linear_wait=AGAIN_S)
    for name, work in kinds.items():
        app.task(name=name, queue=_QUEUE, retry=retry)(_named(work))

    # Before the jobs of people. It is also what has Procrastinate 3.10 notice that the database is away: a worker
    # without any periodic task watches over none of its side tasks.
    @app.periodic(cron=f"* * * * * */{LOOK_S}")
    @app.task(name=_SWEEP, queue=_QUEUE, priority=1, queueing_lock=_SWEEP)
    async def sweep(timestamp: int) -> None:
        for job in await app.job_manager.get_stalled_jobs(queue=_QUEUE, seconds_since_heartbeat=SILENT_S):
            # Another worker may have looked at the same moment.
            with suppress(procrastinate.exceptions.ConnectorException):
                if job.task_name == _SWEEP:
                    await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)
                else:
                    log.info("Job %s is taken from a worker that was not heard of.", job.id)
                    await app.job_manager.retry_job(job)
        await app.job_manager.prune_stalled_workers(SILENT_S)
        for look in looks:
            try:
                await asyncio.to_thread(look)
            except StorageError as error:
                # The next look may find the database again.
                log.info("Nothing was looked for: %s", error)

    return app


def _named(work: Work) -> Callable[..., None]:
    def task(owner: str, session: str) -> None:
        work(owner, session)

    return task


async def _beat(app: procrastinate.App, worker: Worker) -> None:
    """Signs of life while a worker that was told to stop finishes its job: it gives none itself then."""
    while True:
        await asyncio.sleep(BEAT_S)
        if worker.worker_id is not None:
            with suppress(Exception):
                await app.job_manager.update_heartbeat(worker.worker_id)


def _is_away(error: BaseException) -> bool:
    """Whether an error is about a database that does not answer."""
    import psycopg  # noqa: PLC0415 - installed by few

    causes = (error, error.__cause__, error.__context__)
    return any(isinstance(each, psycopg.OperationalError | psycopg.InterfaceError) for each in causes)


def _schema_name() -> str:
    """The PostgreSQL schema of the queue's tables: another one where Procrastinate lays them out otherwise."""
    from pathlib import Path  # noqa: PLC0415

    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - installed by few

    newest = max(each.name for each in Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    return "jobs_" + newest.partition("_")[0].replace(".", "_")
