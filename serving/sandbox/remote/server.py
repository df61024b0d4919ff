"""Runs jobs for pages on other machines: one worker each, in this machine's sandbox."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Literal, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from serving.errors import BadInputError, SandboxMissingError, ServiceMissingError
from serving.sandbox.backends import registry
from serving.sandbox.job import Job
from serving.sandbox.remote import protocol
from serving.sandbox.remote.protocol import (
    BEAT,
    BEAT_S,
    MOST_JOB,
    QUEUE_S,
    REFUSED_HEADER,
    VERSION_HEADER,
    About,
    Refusal,
)
from serving.sandbox.report import WorkerOutput
from serving.sandbox.worker_pool import AT_ONCE, WorkerPool
from serving.servers.access import brings, is_own_name
from serving.servers.draining import DrainingServer

SPARES = 2
"""Workers that wait for a job; each holds some 220 MB."""

WAITING = 4
"""Jobs that may wait for each that runs; more are sent elsewhere."""

BODY_S = 20.0
"""Seconds in which a job has to have come."""

DRAIN_S = 180
"""Seconds that the runner takes at most to finish the jobs that it has taken, after it was told to stop."""

_PART = 2**20

_log = logging.getLogger(__name__)


class Jobs(Protocol):
    """Does jobs; ``serving.sandbox.worker_pool.WorkerPool`` is one."""

    @property
    def isolation(self) -> str:
        """What holds the programs."""
        ...

    def output(self, job: Job) -> WorkerOutput:
        """What came out of a worker.

        Raises:
            SandboxMissingError: such a job cannot be executed here.

        """
        ...


class JobsInFlight:
    """The jobs that were taken and are not over. For the thread of the event loop only."""

    def __init__(self) -> None:
        self._count, self._stopping, self._since = 0, False, datetime.now(UTC)

    @property
    def stopping(self) -> bool:
        """Whether no new jobs are taken."""
        return self._stopping

    @property
    def count(self) -> int:
        """How many jobs there are."""
        return self._count

    def stop(self) -> None:
        """Take no new jobs."""
        self._stopping, self._since = True, datetime.now(UTC)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count a job until it is over."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1

    def told(self) -> dict[str, object]:
        """What the runner says of itself to everybody."""
        state = "stopping" if self._stopping else "answering"
        return {"state": state, "since": self._since.isoformat(timespec="seconds"), "jobs_in_flight": self._count}


class JobEndpoint:
    """Takes jobs, as an ASGI application: a job counts from before it is read until its reply has been sent.

    Args:
        jobs: does the jobs.
        key: what every request has to bring; empty where this machine alone may ask.
        threads: on which jobs are done.
        flight: counts the jobs.
        most: jobs that are taken at the same time.
        queue_s: seconds that a job waits until it is begun.

    """

    def __init__(
        self, jobs: Jobs, key: str, threads: ThreadPoolExecutor, flight: JobsInFlight, *, most: int, queue_s: float
    ) -> None:
        self._jobs, self._key, self._threads, self._flight = jobs, key, threads, flight
        self._most, self._queue_s = most, queue_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        if (refused := self._refused(request)) is not None:
            await refused(scope, receive, send)
            return
        with self._flight.one():
            await (await self._response(request))(scope, receive, send)

    def _refused(self, request: Request) -> Response | None:
        if (stranger := stranger_told(request, self._key)) is not None:
            return stranger
        # A foreign page can have a browser send text, but not this without asking first.
        if request.headers.get("content-type", "") != "application/json":
            return _problem(415, "A job is sent as application/json.")
        if request.headers.get(VERSION_HEADER, "") != protocol.version():
            return _problem(409, "This runner runs another version of the program, or of its libraries.")
        if self._flight.stopping:
            return _problem(503, "This runner is stopping and takes no new jobs.", {REFUSED_HEADER: "stopping"})
        if self._flight.count >= self._most:
            return _problem(503, "This runner has as many jobs as it takes.", {REFUSED_HEADER: "busy"})
        return None

    async def _response(self, request: Request) -> Response:
        try:
            body = await asyncio.wait_for(_body(request), BODY_S)
            if body is None:
                return _problem(413, f"A job has at most {MOST_JOB:,} bytes.")
            return StreamingResponse(self._reply(protocol.read_job(body)), media_type="application/octet-stream")
        except BadInputError as error:
            return _problem(400, error.message)
        except (TimeoutError, ClientDisconnect):
            return _problem(408, "The job did not come in time.")

    async def _reply(self, job: Job) -> AsyncIterator[bytes]:
        task = self._threads.submit(self._done, job)
        doing, waited = asyncio.wrap_future(task), 0.0
        try:
            while not (await asyncio.wait({doing}, timeout=BEAT_S))[0]:
                waited += BEAT_S
                if waited >= self._queue_s and task.cancel():
                    yield _refusal("busy", "Nothing was free in time.")
                    return
                yield BEAT
            for part in doing.result():
                for start in range(0, len(part), _PART):
                    yield part[start : start + _PART]
        finally:
            # Where nobody waits for it any more, a job that waits is not begun; one that runs ends by itself.
            task.cancel()

    def _done(self, job: Job) -> Sequence[bytes]:
        try:
            output = self._jobs.output(job)
        except SandboxMissingError as error:
            return (_refusal("sandbox", str(error)),)
        except Exception:  # noqa: BLE001 - a last resort: whoever asked must hear of it
            _log.exception("A job could not be done.")
            return (_refusal("sandbox", "A fault of the runner; its log says more."),)
        return protocol.write_output(output, protocol.plain(self._jobs.isolation)[:200])


def stranger_told(request: Request, key: str) -> Response | None:
    """What whoever may not ask is told; ``None`` for all others.

    Without a key, a web page that has its name point to this machine (DNS rebinding) may not ask either.
    """
    if not brings(request.headers.get("authorization", ""), key):
        return _problem(401, "The key is missing or wrong.")
    if not key and not is_own_name(request.headers.get("host", "")):
        return _problem(403, "Without a key, a runner is asked by an address of its own machine only.")
    return None


async def _body(request: Request) -> bytes | None:
    """The body of a request; ``None`` where it is too large, as soon as that is known."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_JOB:
            return None
    return bytes(body)


def _refusal(kind: Literal["busy", "sandbox"], why: str) -> bytes:
    return Refusal(refused=kind, why=protocol.plain(why)).model_dump_json().encode() + b"\n"


def _problem(status: int, words: str, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse({"error": {"message": words, "code": status}}, status, headers)


def application(
    jobs: Jobs,
    key: str,
    threads: ThreadPoolExecutor,
    flight: JobsInFlight,
    *,
    most: int = AT_ONCE * (1 + WAITING),
    queue_s: float = QUEUE_S,
) -> Starlette:
    """The web application of a runner; see ``JobEndpoint`` for its arguments."""

    async def health(_: Request) -> Response:
        return JSONResponse(flight.told(), 503 if flight.stopping else 200)

    async def about(request: Request) -> Response:
        told = About(
            version=protocol.version(),
            isolation=protocol.plain(jobs.isolation)[:200],
            not_executed=protocol.plain(registry.unavailable()),
            not_several=protocol.plain(registry.unavailable(1)),
        )
        return stranger_told(request, key) or JSONResponse(told.model_dump())

    endpoint = JobEndpoint(jobs, key, threads, flight, most=most, queue_s=queue_s)
    return Starlette(
        routes=[Route("/health", health), Route("/about", about), Route("/jobs", endpoint, methods=["POST"])]
    )


def serve(host: str, port: int, key: str, ready: Callable[[], None]) -> None:
    """Serve until this process is told to end, and end it.

    Args:
        host: address to listen on.
        port: port to listen on.
        key: what every request has to bring; empty where this machine alone may ask.
        ready: called once it listens.

    Raises:
        SandboxMissingError: no code can be executed here.
        ServiceMissingError: the port is in use, or the host is not one of this machine's.

    """
    registry.required()
    listening = _listening(host, port)
    ready()
    pool, flight = WorkerPool(SPARES), JobsInFlight()
    pool.warm()
    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="jobs")
    config = uvicorn.Config(
        application(pool, key, threads, flight), access_log=False, log_level="warning", timeout_graceful_shutdown=5
    )
    with contextlib.suppress(KeyboardInterrupt):
        DrainingServer(config, flight, DRAIN_S).run(sockets=[listening])
    pool.close()
    sys.stdout.flush()
    # What still runs would keep the process; its workers end with it.
    os._exit(0)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host.strip("[]"), port), family=family, backlog=128)
    except socket.gaierror as error:
        raise ServiceMissingError(f"{host} is not an address of this machine.", hint="Use --host 127.0.0.1.") from error
    except OSError as error:
        raise ServiceMissingError(
            f"Port {port} of {host} cannot be used: {os.strerror(error.errno or 0)}.",
            hint="Choose another one with --port.",
        ) from error
