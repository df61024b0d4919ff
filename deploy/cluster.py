"""Starts all of it on one machine, to try it and to test it: ``make cluster``, or ``python -m deploy.cluster``.

PostgreSQL, judges, workers if asked for, two pages, and before them HAProxy with the file of ``deploy/``, all on the
loopback address. What ends is started again, as a supervisor does it. Ctrl-C ends everything; interviews stay in the
folder. Exit status 0, or that of an error as ``app.py`` has it.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import TracebackType

import httpx
from filelock import FileLock, Timeout

from deploy.local_database import LocalDatabase
from deploy.programs import check_programs, ended_with_us, not_as_root, program
from interviewer.web.health.routes import LIVE, READY
from serving import paths
from serving.errors import BadInputError, InterviewerError, ServiceMissingError
from serving.llm.vllm_server import free_port
from serving.private_files import make_private_files

ROOT = Path(__file__).parents[1]
PAGES = 2
"""As many as ``haproxy.cfg`` names."""

START_S = 300.0
"""Seconds within which a part has to answer."""

FIRST_JUDGE_S = 3600.0
"""The same for a judge: the first time it fetches 1.1 GB and converts it."""

STOP_S = 60.0
"""Seconds that a part may take to end before it is killed."""

_LOOK_S, _SHORT_S, _AT_MOST = 0.2, 20.0, 3


@dataclass
class Part:
    """A program of the cluster.

    Attributes:
        name: as it is told to the person.
        command: its command line.
        answers: whether it can be used.
        variables: of its environment, beside our own.
        patience_s: how long that may take.
        stops_at: the signal that ends it.
        cores: those that it may use; all where none are named.
        short: how many times in a row it ended soon after its start.

    """

    name: str
    command: Sequence[str]
    answers: Callable[[], bool]
    variables: Mapping[str, str]
    patience_s: float = START_S
    stops_at: signal.Signals = signal.SIGTERM
    cores: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    short: int = 0


class Cluster:
    """The parts as they run; a context manager that ends them.

    Args:
        folder: for the database, the home of the pages, and logs.
        port: where the person reaches it.
        judges: how many judges are started; with more than one, the cores are shared out among them.
        judge_urls: judges that run already.
        tell: is told what happens.
        workers: how many workers are started.

    Raises:
        BadInputError: another cluster uses the folder, or there are no judges.
        ServiceMissingError: a program that is needed is not installed, or the port is in use.
        StorageError: the folder cannot be made.

    """

    def __init__(
        self,
        folder: Path,
        port: int,
        judges: int,
        judge_urls: Sequence[str],
        tell: Callable[[str], None],
        *,
        workers: int = 0,
    ) -> None:
        if judges < 1 and not judge_urls:
            raise BadInputError("A page does not start without a judge.", hint="Give --judges 1, or --judge-url URL.")
        check_programs()
        check_port(port)
        self._folder, self._port, self._tell = folder, port, tell
        self._logs = paths.made(folder / "logs")
        if os.geteuid() == 0:
            # Whoever PostgreSQL runs as has to get through to its own folder.
            folder.chmod(0o711)
        self._lock = FileLock(folder / "in-use.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise BadInputError(
                f"Another cluster uses {folder}.", hint="Stop that one, or name another folder with --folder."
            ) from error
        self._database = LocalDatabase(folder / "database", free_port())
        started = [self._judge(number, judges) for number in range(judges)]
        urls = [*judge_urls, *(url for url, _ in started)]
        pages = [(port, self._page(number, port, urls)) for number in range(PAGES) for port in (free_port(),)]
        self._judges, self._pages = [part for _, part in started], [part for _, part in pages]
        self._workers = [self._worker(number, urls) for number in range(workers)]
        server = self._database.command()
        # SIGINT ends its connections; for SIGTERM it would wait until the pages close them.
        self._server = Part("PostgreSQL", server, self._database.answers, {}, stops_at=signal.SIGINT)
        self._proxy = self._haproxy([port for port, _ in pages])

    @property
    def url(self) -> str:
        """Where the person reaches it."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def _groups(self) -> list[list[Part]]:
        """All of them, in the order in which they are started: those of a group at once."""
        return [[self._server], self._judges, self._workers, self._pages, [self._proxy]]

    def start(self) -> None:
        """Start everything; returns when it can be used.

        Raises:
            ServiceMissingError: a part did not come up; the hint names its log.

        """
        self._database.prepare()
        for group in self._groups:
            for part in group:
                self._tell(f"{part.name} starts.")
                self._begin(part)
            for part in group:
                self._wait(part)

    def watch(self) -> None:
        """Start again what ends; returns never.

        Raises:
            ServiceMissingError: a part ended again and again.

        """
        while True:
            time.sleep(_LOOK_S)
            for part in chain.from_iterable(self._groups):
                if part.process is None or part.process.poll() is None:
                    continue
                part.short = part.short + 1 if time.monotonic() - part.started < _SHORT_S else 0
                if part.short >= _AT_MOST:
                    raise self._trouble(part, "ended again and again")
                self._tell(f"{part.name} ended with status {part.process.returncode} and is started again.")
                time.sleep(min(part.short, 5))
                self._begin(part)

    def close(self) -> None:
        """End everything, the last started first."""
        for group in reversed(self._groups):
            running = [part.process for part in group if part.process is not None and part.process.poll() is None]
            for process in running:
                process.send_signal(group[0].stops_at)
            until = time.monotonic() + STOP_S
            for process in running:
                try:
                    process.wait(max(0.0, until - time.monotonic()))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self._lock.release()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _judge(self, number: int, count: int) -> tuple[str, Part]:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        # Each would start a thread for every core, and they would get in each other's way.
        cores = sorted(os.sched_getaffinity(0))[number::count] if count > 1 else ()
        part = Part(
            f"Judge {number + 1}",
            _app("judge", "--port", str(port)),
            lambda: _is_well(f"{url}/health"),
            self._variables(),
            patience_s=FIRST_JUDGE_S,
            cores=cores,
        )
        return url, part

    def _page(self, number: int, port: int, judges: Sequence[str]) -> Part:
        return Part(
            f"Page {number + 1}",
            _app("serve", "--port", str(port), "--no-open", *_judged_by(judges)),
            lambda: _is_well(f"http://127.0.0.1:{port}{READY}"),
            self._variables(),
        )

    def _worker(self, number: int, judges: Sequence[str]) -> Part:
        name = f"Worker {number + 1}"
        log = self._log_of(name)
        # A log of an earlier time would say that it works before it does.
        log.unlink(missing_ok=True)
        return Part(
            name,
            _app("worker", *_judged_by(judges)),
            lambda: log.exists() and b"Taking jobs" in log.read_bytes(),
            self._variables(),
        )

    def _haproxy(self, ports: Sequence[int]) -> Part:
        variables = {"PROXY_BIND": f"127.0.0.1:{self._port}"}
        variables |= {f"PAGE_{number}": f"127.0.0.1:{port}" for number, port in enumerate(ports, 1)}
        command = [program("haproxy") or "haproxy", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
        return Part("HAProxy", command, lambda: _is_well(self.url + LIVE), variables)

    def _variables(self) -> dict[str, str]:
        return {paths.HOME_VARIABLE: str(self._folder / "home"), paths.MODELS_VARIABLE: str(paths.models())}

    def _begin(self, part: Part) -> None:
        command = ended_with_us(part.command, part.stops_at.name.removeprefix("SIG"))
        if part is self._server:
            command = not_as_root(command)
        variables = dict(part.variables)
        if part in self._pages or part in self._workers:
            # In the environment, since others can see a command line.
            variables["INTERVIEWER_DATABASE"] = self._database.url
        with self._log(part).open("ab") as log:
            # In a session of its own: Ctrl-C is for us, who end the parts one after the other.
            part.process = subprocess.Popen(
                command,
                env={**os.environ, **variables},
                cwd=self._folder / "database" if part is self._server else ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        part.started = time.monotonic()
        if part.cores:
            # Before it has counted its cores, which comes long after Python has started.
            os.sched_setaffinity(part.process.pid, part.cores)

    def _wait(self, part: Part) -> None:
        until = time.monotonic() + part.patience_s
        while not part.answers():
            if part.process is None or part.process.poll() is not None:
                raise self._trouble(part, "ended")
            if time.monotonic() > until:
                raise self._trouble(part, f"did not answer within {part.patience_s:.0f} s")
            time.sleep(_LOOK_S)

    def _trouble(self, part: Part, what: str) -> ServiceMissingError:
        return ServiceMissingError(f"{part.name} {what}.", hint=f"{self._log(part)} says why.")

    def _log(self, part: Part) -> Path:
        return self._log_of(part.name)

    def _log_of(self, name: str) -> Path:
        return self._logs / f"{name.lower().replace(' ', '-')}.log"


def _judged_by(urls: Sequence[str]) -> list[str]:
    return [part for url in urls for part in ("--judge-url", url)]


def _app(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "app.py"), *arguments]


def _is_well(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5.0, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def check_port(port: int) -> None:
    """Make sure that a port of the loopback address can be used.

    Raises:
        BadInputError: there is no such port.
        ServiceMissingError: it is in use.

    """
    if not 0 < port < 2**16:
        raise BadInputError(f"There is no port {port}.", hint="Ports are numbered from 1 to 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise ServiceMissingError(
                f"Port {port} is in use, or this program may not use it.", hint="Choose another one with --port."
            ) from error


def default_folder() -> Path:
    """Returns where a cluster keeps its things: in the home; for root elsewhere, since nobody gets into root's home."""
    return paths.home() / "cluster" if os.geteuid() else Path("/var/lib/torch-interviewer-cluster")


def _told(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a cluster until Ctrl-C; the exit status."""
    ask = argparse.ArgumentParser(prog="python -m deploy.cluster", description="Runs everything on this machine.")
    ask.add_argument("--port", type=int, default=8080, help="port of the proxy (%(default)s)")
    ask.add_argument("--judges", type=int, help="judges to start, 2.2 GB each (1; none where --judge-url is given)")
    ask.add_argument("--judge-url", action="append", default=[], metavar="URL", help="a judge that runs already")
    ask.add_argument("--workers", type=int, default=0, help="workers to start (%(default)s)")
    ask.add_argument("--folder", type=Path, help="where interviews are kept (in the home; for root in /var/lib)")
    given = ask.parse_args(arguments)
    judges = given.judges if given.judges is not None else int(not given.judge_url)
    try:
        folder = paths.made((given.folder or default_folder()).absolute())
        with Cluster(folder, given.port, judges, given.judge_url, _told, workers=given.workers) as cluster:
            cluster.start()
            _told(f"The interview is at {cluster.url}. Press Ctrl-C to stop it; nothing is lost. All is in {folder}.")
            cluster.watch()
    except InterviewerError as error:
        _told(str(error))
        return error.exit_status
    except KeyboardInterrupt:
        _told("Stopped.")
    return 0


if __name__ == "__main__":
    make_private_files()
    # SIGINT too: a shell has what it starts in the background ignore it.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.default_int_handler)
    sys.exit(main())
