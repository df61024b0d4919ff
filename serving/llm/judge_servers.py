"""Several servers of the embedded judge, used as one.

All prompts of an answer go to one server, so that what they share is read once. Which server that is follows from the
prompts by rendezvous hashing: the same answer comes to the same server again, and answers to one question, which begin
alike, are shared out. Where a server is left out, only its own answers go elsewhere; so do those of one that has more
than its share to do. One that is stopping reads the rest of what it has begun.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import get_args

from serving import metrics
from serving.arrays import FloatArray
from serving.errors import BadInputError, InterviewerError, KeyRefusedError, ServerGoneError, ServerStoppingError
from serving.llm.answer_headers import ANSWER, LEFT
from serving.llm.client import ModelServerClient, remote_endpoint
from serving.llm.judge_health import JudgeHealth, JudgeState, look_at
from serving.llm.server_state import Endpoint
from serving.progress import Progress, silent
from serving.servers.placement import back_off, bounded, order
from serving.servers.standing import Change, Standing, count, told

log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0
"""Seconds after which each server is asked how it fares, whether or not anything is graded."""


class _Server(Standing[JudgeState]):
    """One of the servers, and how it fares."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.endpoint: Endpoint | None = None
        self.failures = 0
        self.out_until = 0.0
        self.why = ""
        self.checking = threading.Lock()
        self.answers = 0


class JudgeServers(ModelServerClient):
    """Asks the servers of a judge; one that fails is left out for a while, and its answer goes to the next.

    Args:
        urls: of the servers, without a path.
        model: the name that they serve the judge's model under.
        digest: SHA-256 of what that model was made from; servers tell it as another name of the model.
        key: what they want in the ``Authorization`` header.
        at_once: how many prompts are sent in one request.
        clock: seconds that never go back.

    """

    def __init__(
        self,
        urls: Sequence[str],
        *,
        model: str,
        digest: str,
        key: str = "",
        at_once: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(lambda: None, lambda: "", at_once=at_once)
        self._model, self._digest, self._key, self._clock = model, digest, key, clock
        self._servers = {
            url: _Server(url) for url in dict.fromkeys(url.rstrip("/").removesuffix("/v1") for url in urls)
        }
        self._guard = threading.Lock()
        self._chosen = threading.local()
        self._closing = threading.Event()
        self._watcher: threading.Thread | None = None

    def start(self, progress: Progress = silent) -> None:
        """Look at every server once.

        Raises:
            BadInputError: one of them refuses the key, is no model server, or serves another model.
            ServerGoneError: none of them answers.

        """
        for server in self._servers.values():
            progress(f"asking {server.url}", None)
            try:
                server.endpoint = self._checked(server)
            except ServerGoneError as error:
                self._leave_out(server, error)
            else:
                with self._guard:
                    self._note(server, "answering")
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, name="judges", daemon=True)
            self._watcher.start()
        if not any(server.endpoint for server in self._servers.values()):
            raise ServerGoneError(self._all_out(), hint="Start one, or leave --judge-url out.")

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """See ``StateClient.states``."""
        for url in self._nearest("\0".join(prompts)):
            server = self._servers[url]
            if self._clock() < server.out_until:
                continue
            failures = server.failures
            try:
                self._chosen.endpoint = self._endpoint_of(server)
                self._chosen.answer, self._chosen.left = secrets.token_hex(8), -(-len(prompts) // self._at_once)
                with self._in_flight(server):
                    states = super().states(prompts)
            except (ServerGoneError, BadInputError) as error:
                self._leave_out(server, error)
                continue
            self._taken_in(server, failures)
            return states
        raise ServerGoneError(self._all_out())

    def _nearest(self, key: str) -> list[str]:
        """The servers that can be used now, in the order in which they are asked."""
        with self._guard:
            now = self._clock()
            used = [url for url in order(list(self._servers), key) if now >= self._servers[url].out_until]
            return bounded(used, {url: self._servers[url].answers for url in used})

    def health(self) -> tuple[JudgeHealth, ...]:
        """How each server fares as this process has noticed, in the order in which they were named."""
        with self._guard:
            return tuple(
                JudgeHealth(
                    url=each.url,
                    state=each.seen or "not answering",
                    since=each.since,
                    answers_in_flight=each.answers,
                )
                for each in self._servers.values()
            )

    def close(self) -> None:
        """Close the connections."""
        self._closing.set()
        super().close()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_EVERY_S):
            for server in self._servers.values():
                self._look(server)

    def _look(self, server: _Server) -> None:
        # For whoever watches alone: which server an answer goes to is found out by asking it.
        before = server.since
        found = look_at(server.url, self._key, self._digest)
        with self._guard:
            # What an answer has noticed meanwhile is newer.
            change = self._note(server, found.state) if server.since == before else Change.NONE
        if change is not Change.NONE:
            log.log(change.level, "%s", told("judge server", server.url, found.state))

    def _note(self, server: _Server, state: JudgeState) -> Change:
        """Note how a server fares, for whoever watches; the guard is held."""
        change = server.note(state)
        count(metrics.JUDGES, (each.seen or "not answering" for each in self._servers.values()), get_args(JudgeState))
        return change

    @contextmanager
    def _in_flight(self, server: _Server) -> Iterator[None]:
        with self._guard:
            server.answers += 1
        try:
            yield
        finally:
            with self._guard:
                server.answers -= 1

    def _headers(self, target: Endpoint) -> dict[str, str]:
        self._chosen.left -= 1
        named = {ANSWER: self._chosen.answer, LEFT: str(self._chosen.left)}
        return super()._headers(target) | named

    def _target(self) -> Endpoint:
        endpoint: Endpoint | None = getattr(self._chosen, "endpoint", None)
        if endpoint is None:
            raise ServerGoneError("No judge server was chosen.")
        return endpoint

    def _endpoint_of(self, server: _Server) -> Endpoint:
        """Where a server answers; after a failure it is looked at anew, since another model may be there now."""
        with server.checking:
            endpoint = server.endpoint
            if endpoint is None:
                endpoint = server.endpoint = self._checked(server)
            return endpoint

    def _checked(self, server: _Server) -> Endpoint:
        try:
            remote_endpoint(server.url, self._digest, self._key)
        except ServerGoneError as error:
            raise ServerGoneError(f"Nothing answers at {server.url}.") from error
        except KeyRefusedError:
            raise
        except BadInputError as error:
            raise BadInputError(
                f"{server.url} does not serve this version’s judge. {error.message}",
                hint="Run the same version of this program there, or leave this --judge-url out.",
            ) from error
        return Endpoint(url=server.url, key=self._key, model=self._model, digest=self._digest)

    def _leave_out(self, server: _Server, error: InterviewerError) -> None:
        with self._guard:
            pause = back_off(server.failures)
            server.failures += 1
            server.endpoint, server.out_until, server.why = None, self._clock() + pause, error.message
            change = self._note(server, _state_of(error))
        log.log(change.level, "A judge server is left out for %g s: %s", pause, error)

    def _taken_in(self, server: _Server, before: int) -> None:
        with self._guard:
            if server.failures != before:
                # What it had begun says nothing of a server that was left out meanwhile: it may be stopping.
                return
            if server.seen == "stopping" and not server.failures:
                # It finishes what it has begun.
                return
            server.failures, server.why = 0, ""
            change = self._note(server, "answering")
        if change is not Change.NONE:
            log.log(change.level, "%s", told("judge server", server.url, "answering"))

    def _all_out(self) -> str:
        why = " ".join(server.why for server in self._servers.values() if server.why)
        return f"No judge server can be used now. {why}".strip()


def _state_of(error: InterviewerError) -> JudgeState:
    """How a server fares that failed so."""
    if isinstance(error, ServerStoppingError):
        return "stopping"
    if isinstance(error, KeyRefusedError):
        return "refuses the key"
    return "other version" if isinstance(error, BadInputError) else "not answering"
