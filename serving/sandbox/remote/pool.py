"""Several runners on other hosts, used as one place where code is run.

All jobs of a question go to one runner as long as that has no more than its share, so that a submission and our own
solution run on the same machine and their times can be compared. A runner that fails is left out for a while, and its
job is tried at another one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Self, get_args
from urllib.parse import urlsplit

import httpx

from serving import metrics
from serving.errors import BadInputError, ProtocolError, SandboxMissingError
from serving.sandbox.frame_decoder import FrameDecoder
from serving.sandbox.job import LONGEST_S, Job
from serving.sandbox.remote import protocol
from serving.sandbox.remote.health import RunnerHealth, RunnerState, authorization, look_at
from serving.sandbox.remote.protocol import BEAT, KEY_VARIABLE, MOST_REPLY, QUEUE_S, REFUSED_HEADER, VERSION_HEADER
from serving.sandbox.report import Report, WorkerOutput, report_of
from serving.sandbox.worker_pool import START_S
from serving.servers.placement import back_off, bounded, order
from serving.servers.standing import Change, Standing, count, told

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
"""Seconds of silence after which a runner is taken for gone; it gives a sign of life every two."""

REPLY_S = QUEUE_S + 4 * START_S + LONGEST_S
"""Seconds beyond a job's own in which its reply has to have come: two workers may have to be started, twice."""

MOST_BROKEN_OFF = 2
"""Runners that may be lost over one job, which may be what ends them."""

BUSY_S = 60.0
"""Seconds for which a job is offered again to runners that are busy."""

AGAIN_S = 1.0
"""Seconds after which such a job is offered again."""

KEPT_S = 2.0
"""Seconds for which an unused connection is kept: less than the five after which a runner closes it."""

LOOK_EVERY_S = 10.0
"""Seconds after which each runner is asked how it fares, whether or not code is run."""

_AWAY = "It does not answer."

_log = logging.getLogger(__name__)


class _Trouble(StrEnum):
    """Why a runner gave no output."""

    AWAY = "away"
    """It cannot be reached, or does not take the job."""
    BROKEN_OFF = "broken off"
    """It took the job, and then fell silent or replied with something else."""
    BUSY = "busy"
    CANNOT = "cannot"
    """It cannot execute such code."""


class _Tried(NamedTuple):
    """What asking a runner came to: its output with what held the program, or why there is none."""

    output: WorkerOutput | None
    words: str
    trouble: _Trouble | None = None
    state: RunnerState = "answering"


class _Runner(Standing[RunnerState]):
    """One of the runners, and how it fares."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.jobs = self.failures = 0
        self.out_until = 0.0
        self.about: protocol.About | None = None


class RunnerPool:
    """Has jobs done by runners. Safe to use from several threads.

    Args:
        urls: of the runners, without a path.
        key: what they want in the ``Authorization`` header.
        clock: seconds that never go back.
        busy_s: seconds for which a job is offered again to runners that are busy.
        again: what a person is told to do about code that no runner ran.

    Raises:
        BadInputError: a URL is none.

    """

    uses_card = False
    """Whether a job runs on a card of this machine."""

    def __init__(
        self,
        urls: Sequence[str],
        *,
        key: str = "",
        clock: Callable[[], float] = time.monotonic,
        busy_s: float = BUSY_S,
        again: str = "submit again in a moment",
    ) -> None:
        self._again = again
        self._key, self._clock, self._busy_s = key, clock, busy_s
        self._runners = {url: _Runner(url) for url in dict.fromkeys(map(address, urls))}
        self._guard = threading.Lock()
        self._closing = threading.Event()
        self._decoder = FrameDecoder()

    @property
    def isolation(self) -> str:
        """What holds the programs; empty, since each report says it."""
        return ""

    def start(self) -> None:
        """Look at every runner once, and from then on now and again.

        One that does not answer may come back, so that is only logged.

        Raises:
            BadInputError: one refuses the key, runs another version, or is no runner.

        """
        for runner in self._runners.values():
            change = self._look(runner)
            if runner.seen in _WRONG:
                what, hint = _WRONG[runner.seen]
                raise BadInputError(f"{runner.url} {what}.", hint=hint)
            _tell(runner, change)
        threading.Thread(target=self._watch, name="runners", daemon=True).start()

    def unavailable(self, processes: int) -> str:
        """Why no runner can execute a job of so many processes; empty where one can, or where nobody knows."""
        told = [each.about for each in self._runners.values() if each.about is not None]
        whys = [about.not_several if processes else about.not_executed for about in told]
        return f"No runner executes this code. {whys[0]}" if whys and all(whys) else ""

    def run(self, job: Job) -> Report:
        """Has a job done, by another runner where one fails.

        Raises:
            SandboxMissingError: no runner did it; the sentence says why.

        """
        body = job.model_dump_json().encode()
        until, broken_off = self._clock() + self._busy_s, 0
        while True:
            whys: dict[str, str] = {}
            busy = False
            for runner in self._nearest(job.tests):
                failures = runner.failures
                with self._in_flight(runner):
                    tried = self._tried(runner, job, body)
                if tried.output is not None:
                    self._taken_in(runner, failures)
                    report = report_of(tried.output, self._decoder)
                    return report.model_copy(update={"isolation": tried.words, "machine": runner.url})
                whys[runner.url] = tried.words
                busy = busy or tried.trouble is _Trouble.BUSY
                if tried.trouble in {_Trouble.AWAY, _Trouble.BROKEN_OFF}:
                    self._leave_out(runner, tried)
                broken_off += tried.trouble is _Trouble.BROKEN_OFF
                if broken_off == MOST_BROKEN_OFF:
                    break
            over = broken_off == MOST_BROKEN_OFF or self._clock() >= until or self._closing.is_set()
            if over or not busy:
                raise SandboxMissingError(_nobody(whys), hint=f"Nothing is lost; {self._again}.")
            self._closing.wait(AGAIN_S)

    def health(self) -> tuple[RunnerHealth, ...]:
        """How each runner fares as this process has noticed, in the order in which they were named."""
        with self._guard:
            return tuple(
                RunnerHealth(
                    url=each.url, state=each.seen or "not answering", since=each.since, jobs_in_flight=each.jobs
                )
                for each in self._runners.values()
            )

    def close(self) -> None:
        """Close the connections; what runs ends by itself."""
        self._closing.set()
        if "_http" in self.__dict__:
            self._http.close()
        self._decoder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def _http(self) -> httpx.Client:
        """The connections; made when they are first needed, since that reads all certificates of the web."""
        headers = {b"content-type": b"application/json", b"accept-encoding": b"identity"}
        version = {VERSION_HEADER.encode(): protocol.version().encode()}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=8, keepalive_expiry=KEPT_S)
        return httpx.Client(
            timeout=TIMEOUT,
            trust_env=False,
            limits=limits,
            headers={**headers, **version, **authorization(self._key)},
        )

    def _nearest(self, key: str) -> list[_Runner]:
        """The runners in the order in which they are asked; those that are left out come last, for want of others."""
        with self._guard:
            now = self._clock()
            urls = order(list(self._runners), key)
            used = [url for url in urls if now >= self._runners[url].out_until]
            out = sorted((url for url in urls if url not in used), key=lambda url: self._runners[url].out_until)
            placed = bounded(used, {url: self._runners[url].jobs for url in used})
            return [self._runners[url] for url in (*placed, *out)]

    @contextmanager
    def _in_flight(self, runner: _Runner) -> Iterator[None]:
        with self._guard:
            runner.jobs += 1
        try:
            yield
        finally:
            with self._guard:
                runner.jobs -= 1

    def _tried(self, runner: _Runner, job: Job, body: bytes) -> _Tried:
        begun = False
        until = time.monotonic() + job.longest + REPLY_S
        try:
            with self._http.stream("POST", f"{runner.url}/jobs", content=body) as response:
                if response.status_code != httpx.codes.OK:
                    return _not_taken(response.status_code, response.headers.get(REFUSED_HEADER, ""))
                begun = True
                reply = protocol.read_reply(_read(response, until))
        except httpx.HTTPError as error:
            words = "It stopped in the middle of it." if begun else _AWAY
            _log.info("%s: %s", runner.url, error)
            return _Tried(None, words, _Trouble.BROKEN_OFF if begun else _Trouble.AWAY, "not answering")
        except ProtocolError as error:
            return _Tried(None, error.message, _Trouble.BROKEN_OFF, "no runner")
        if isinstance(reply, protocol.Refusal):
            return _Tried(None, reply.why, _Trouble.BUSY if reply.refused == "busy" else _Trouble.CANNOT)
        return _Tried(*reply)

    def _leave_out(self, runner: _Runner, tried: _Tried) -> None:
        with self._guard:
            pause = back_off(runner.failures)
            runner.failures += 1
            runner.out_until = self._clock() + pause
            change = self._note(runner, tried.state)
        _log.log(change.level, "The runner at %s is left out for %g s. %s", runner.url, pause, tried.words)

    def _taken_in(self, runner: _Runner, before: int) -> None:
        with self._guard:
            if runner.failures != before or (runner.seen == "stopping" and not before):
                # What it had begun says nothing of a runner that failed meanwhile: it may be stopping.
                return
            runner.failures, runner.out_until = 0, 0.0
            change = self._note(runner, "answering")
        _tell(runner, change)

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_EVERY_S):
            for runner in self._runners.values():
                _tell(runner, self._look(runner))

    def _look(self, runner: _Runner) -> Change:
        # For whoever watches, and what is told ahead: whether a runner takes a job is found out by offering it.
        before = runner.since
        found, about = look_at(runner.url, self._key)
        with self._guard:
            runner.about = about or runner.about
            # What a job has noticed meanwhile is newer.
            return self._note(runner, found.state) if runner.since == before else Change.NONE

    def _note(self, runner: _Runner, state: RunnerState) -> Change:
        """Note how a runner fares, for whoever watches; the guard is held."""
        change = runner.note(state)
        states = (each.seen or "not answering" for each in self._runners.values())
        count(metrics.RUNNERS, states, get_args(RunnerState))
        return change


_WRONG: dict[RunnerState | None, tuple[str, str]] = {
    "refuses the key": ("refuses the key", f"Set {KEY_VARIABLE} to the same secret, here and there."),
    "other version": (
        "runs another version of this program, or of its libraries",
        "Install the same version there, or leave this --runner-url out.",
    ),
    "no runner": ("is no runner", "`python app.py runner` starts one."),
}
"""What is wrong with a runner that a person has to mend, and how."""

_UNFIT = (400, 413, 415)
"""What a runner replies to a job that is too large, or asks for too much."""


def address(url: str) -> str:
    """The address of a runner as it is used.

    Raises:
        BadInputError: it is none.

    """
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good or parts.username or parts.query or parts.fragment or parts.path.strip("/"):
        raise BadInputError(f"{url} is not the address of a runner.", hint="It looks like http://10.0.0.7:8200.")
    return url.rstrip("/")


def _tell(runner: _Runner, change: Change) -> None:
    """Have the log told that a runner went or came back."""
    if change is not Change.NONE:
        _log.log(change.level, "%s", told("runner", runner.url, runner.seen or ""))


def _not_taken(status: int, why: str) -> _Tried:
    """What a reply says that has no output in it."""
    if why == "busy":
        return _Tried(None, "It has too much to do.", _Trouble.BUSY)
    if why == "stopping":
        return _Tried(None, "It is stopping.", _Trouble.AWAY, "stopping")
    if status in _UNFIT:
        return _Tried(None, f"It does not take such a job (status {status}).", _Trouble.CANNOT)
    known: dict[int, tuple[str, RunnerState]] = {
        401: ("It refuses the key.", "refuses the key"),
        403: ("It refuses the key.", "refuses the key"),
        409: ("It runs another version of this program.", "other version"),
    }
    words, state = known.get(status, (f"It answers with status {status}.", "no runner"))
    return _Tried(None, words, _Trouble.AWAY, state)


def _read(response: httpx.Response, until: float) -> bytes:
    """All of a reply but the signs of life before it.

    Raises:
        HTTPError: the runner fell silent.
        ProtocolError: there is too much of it, or it takes too long.

    """
    data = bytearray()
    for part in response.iter_raw():
        data += part if data else part.lstrip(BEAT)
        if len(data) > MOST_REPLY:
            raise ProtocolError("Its reply is larger than any may be.")
        if time.monotonic() > until:
            raise ProtocolError("It takes longer than any job may.")
    return bytes(data)


def _nobody(whys: dict[str, str]) -> str:
    """Why a job was not done; the log has the addresses of the runners, which a person need not know."""
    told = " ".join(dict.fromkeys(whys.values()))
    return "No runner answers." if told == _AWAY else f"No runner ran the code. {told}".strip()
