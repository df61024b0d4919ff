"""Runners as a person starts them, and small servers that speak as a runner should not."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from serving.llm.vllm_server import free_port
from serving.sandbox.job import Job, JobTest
from serving.sandbox.remote import protocol
from tests.locations import ROOT

KEY = "a key of the tests"
PATIENCE_S = 120.0


def until(ready: Callable[[], object]) -> None:
    """Wait for a condition, however busy the machine is."""
    end = time.monotonic() + PATIENCE_S
    while not ready():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


class Runner:
    """A real runner in a process of its own, which can be killed and started again at the same address.

    Attributes:
        process: the running one.
        url: where it answers.

    """

    def __init__(self, key: str = KEY) -> None:
        self._key, self._port = key, free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start it, without waiting for it."""
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "app.py"), "runner", "--port", str(self._port)],
            env={**os.environ, protocol.KEY_VARIABLE: self._key},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        )
        return self.process

    def jobs(self) -> int:
        """How many jobs it has; -1 where it does not answer."""
        with contextlib.suppress(httpx.HTTPError):
            return int(httpx.get(f"{self.url}/health", trust_env=False).json()["jobs_in_flight"])
        return -1

    def stops(self) -> bool:
        """Whether it says that it is stopping, or has ended."""
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/health", trust_env=False).status_code == 503
        return self.process.poll() is not None

    def wait(self) -> None:
        """Until it answers."""
        until(lambda: self.jobs() >= 0 or self.process.poll() is not None)
        assert self.process.poll() is None, "the runner ended"

    def kill(self) -> None:
        """As ``kill -9`` does it."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def two_runners() -> Iterator[list[Runner]]:
    """Two that answer."""
    made = [Runner(), Runner()]
    try:
        for each in made:
            each.wait()
        yield made
    finally:
        for each in made:
            each.kill()


class OddRunner:
    """A server that answers offers of jobs as it is told.

    Attributes:
        url: where it answers.
        asked: how many jobs it was offered.
        reply: writes the reply to such an offer.

    Args:
        reply: writes the reply to a request for a job, status and all.

    """

    def __init__(self, reply: Callable[[BaseHTTPRequestHandler], None], about: bytes | None = None) -> None:
        odd = self
        self.asked, self.reply = 0, reply

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                told = b'{"state": "answering", "since": "2026-01-02T03:04:05Z", "jobs_in_flight": 0}'
                answer(self, told if self.path == "/health" else about or ABOUT)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                odd.asked += 1
                with contextlib.suppress(OSError):
                    odd.reply(self)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        """Answer nothing any more."""
        self._http.shutdown()
        self._http.server_close()


def answer(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """Send a whole reply."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


ABOUT = (
    protocol.About(version=protocol.version(), isolation="walls", not_executed="", not_several="").model_dump_json()
).encode()


def job(source: str = "def double(n):\n    return 2 * n\n", **fields: object) -> Job:
    """A small job."""
    return Job(
        source=source,
        tests="def example(t):\n    yield {'n': 2}, double(2)\n",
        names=("double",),
        run=(JobTest(name="example", dtype="float32", seed=1),),
        **fields,
    )
