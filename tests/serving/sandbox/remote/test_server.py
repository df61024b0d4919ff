"""What a runner does with jobs that wait, with whoever is gone, and with what could fill it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from serving.errors import SandboxMissingError
from serving.sandbox.job import Job, WorkerOutcome
from serving.sandbox.remote import protocol, server
from serving.sandbox.remote.server import JobsInFlight, application
from serving.sandbox.report import WorkerOutput
from tests.serving.sandbox.remote.runners import job, until

HEADERS = {"content-type": "application/json", protocol.VERSION_HEADER: protocol.version()}


class Held:
    """Does a job when it is told to."""

    isolation = "walls"

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = threading.Event()

    def output(self, job: Job) -> WorkerOutput:
        self.begun.append(job.source)
        assert self.go.wait(60)
        if job.source == "cannot":
            raise SandboxMissingError("There is no sandbox.", hint="Install one.")
        if job.source == "fault":
            raise ValueError("secret detail")
        return WorkerOutput(WorkerOutcome.DONE, b"x" * (3 * 2**20), "", "", 0.0, None)


class Served:
    """A runner in this process, with one place."""

    def __init__(self, key: str, most: int, queue_s: float) -> None:
        self.jobs, self.flight = Held(), JobsInFlight()
        self.threads = ThreadPoolExecutor(1)
        app = application(self.jobs, key, self.threads, self.flight, most=most, queue_s=queue_s)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self.thread.start()

    def post(self, source: str = "a", **headers: str) -> httpx.Response:
        content = job(source).model_dump_json()
        return httpx.post(f"{self.url}/jobs", content=content, headers={**HEADERS, **headers}, timeout=60)

    def close(self) -> None:
        self.jobs.go.set()
        self.server.should_exit = True
        self.thread.join()
        self.threads.shutdown()


@contextmanager
def serving(key: str = "", most: int = 3, queue_s: float = 60.0) -> Iterator[Served]:
    made = Served(key, most, queue_s)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BEAT_S", 0.02)


def test_signs_of_life_come_before_the_reply() -> None:
    with serving() as runner, httpx.Client(timeout=60) as http:
        content = job().model_dump_json()
        with http.stream("POST", f"{runner.url}/jobs", content=content, headers=HEADERS) as reply:
            parts = reply.iter_raw()
            assert next(parts) == b"\n"
            runner.jobs.go.set()
            data = b"".join(parts).lstrip(b"\n")
        output, isolation = protocol.read_reply(data)
        assert (len(output.frames), isolation) == (3 * 2**20, "walls")
        until(lambda: runner.flight.count == 0)


def test_only_so_many_jobs_are_taken_and_the_rest_is_sent_elsewhere() -> None:
    with serving(most=3) as runner, ThreadPoolExecutor(3) as threads:
        taken = [threads.submit(runner.post, name) for name in "abc"]
        until(lambda: runner.flight.count == 3)
        more = runner.post("d")
        assert (more.status_code, more.headers[protocol.REFUSED_HEADER]) == (503, "busy")
        assert len(runner.jobs.begun) == 1
        told = httpx.get(f"{runner.url}/health").json()
        assert (told["state"], told["jobs_in_flight"]) == ("answering", 3)
        runner.jobs.go.set()
        assert {each.result().status_code for each in taken} == {200}
        until(lambda: runner.flight.count == 0)
        assert sorted(runner.jobs.begun) == ["a", "b", "c"]


def test_a_job_that_waits_too_long_is_given_back() -> None:
    with serving(queue_s=0.1) as runner, ThreadPoolExecutor(1) as threads:
        first = threads.submit(runner.post, "first")
        until(lambda: runner.jobs.begun)
        second = protocol.read_reply(runner.post("second").content.lstrip(b"\n"))
        assert second == protocol.Refusal(refused="busy", why="Nothing was free in time.")
        runner.jobs.go.set()
        assert first.result().status_code == 200
        assert runner.jobs.begun == ["first"]


def test_a_job_that_nobody_waits_for_is_not_begun() -> None:
    with serving() as runner, ThreadPoolExecutor(1) as threads:
        first = threads.submit(runner.post, "first")
        until(lambda: runner.jobs.begun)
        with httpx.Client(timeout=60) as http:
            content = job("left").model_dump_json()
            with http.stream("POST", f"{runner.url}/jobs", content=content, headers=HEADERS) as reply:
                parts = reply.iter_raw()
                assert next(parts) == b"\n"
                assert runner.flight.count == 2
        until(lambda: runner.flight.count == 1)
        runner.jobs.go.set()
        assert first.result().status_code == 200
        assert runner.jobs.begun == ["first"]


def test_why_a_job_is_not_executed_is_told_and_a_fault_tells_nothing_else() -> None:
    with serving() as runner:
        runner.jobs.go.set()
        for source, why in (
            ("cannot", "There is no sandbox. Install one."),
            ("fault", "A fault of the runner; its log says more."),
        ):
            told = protocol.read_reply(runner.post(source).content.lstrip(b"\n"))
            assert told == protocol.Refusal(refused="sandbox", why=why)


def test_a_job_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BODY_S", 0.1)
    with serving() as runner, socket.create_connection(("127.0.0.1", runner.port)) as slow:
        slow.settimeout(60)
        lines = ["POST /jobs HTTP/1.1", f"host: 127.0.0.1:{runner.port}", "content-length: 100"]
        lines += [f"{name}: {value}" for name, value in HEADERS.items()]
        slow.sendall(("\r\n".join(lines) + "\r\n\r\n{").encode())
        assert b" 408 " in slow.recv(4096).split(b"\r\n")[0]
        until(lambda: runner.flight.count == 0)


def test_one_that_is_stopping_takes_nothing_new_and_says_so() -> None:
    with serving() as runner:
        runner.flight.stop()
        refused = runner.post()
        assert (refused.status_code, refused.headers[protocol.REFUSED_HEADER]) == (503, "stopping")
        assert httpx.get(f"{runner.url}/health").status_code == 503


def test_without_a_key_a_web_page_under_a_name_of_its_own_may_not_ask() -> None:
    with serving() as runner:
        runner.jobs.go.set()
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "[", ""):
            assert runner.post(host=host).status_code in {400, 403}
        for host in (f"localhost:{runner.port}", "127.0.0.1", "[::1]:8200"):
            assert runner.post(host=host).status_code == 200
    with serving("secret") as runner:
        runner.jobs.go.set()
        named = {"host": "runner.example:8200", "authorization": "Bearer secret"}
        assert runner.post(**named).status_code == 200
        assert json.loads(runner.post(host="runner.example").content)["error"]["code"] == 401
