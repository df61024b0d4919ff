"""Has a model word follow-ups, each within a time budget, on threads of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import NamedTuple

from cachetools import LRUCache

from interviewer.dialogue.paraphrase import MOST_TOKENS, ParaphraseRequest, ParaphraseResult, request
from interviewer.session.events import FallbackReason
from serving.errors import InterviewerError
from serving.llm.client import SPEAKING_S, TextClient

_log = logging.getLogger(__name__)

AT_ONCE = 8
"""Follow-ups worded at the same time; where that many are, the bank's own phrasing is said at once."""

_REMEMBERED = 200
"""Interviews whose last wording is remembered; one that is forgotten while it is waited for is asked for again."""


class _Wording(NamedTuple):
    """What a model was asked on behalf of an interview, and what comes of it."""

    ask: ParaphraseRequest
    offer: Future[ParaphraseResult]


class Paraphraser:
    """Asks a model for words and waits for them where nobody else has to: no interview's lock is held meanwhile.

    Nothing is tried again: within the budget no server comes back.

    Args:
        client: lets the model speak; best one that gives up after the budget too, so that its server stops.
        model: what the model is called just now.
        budget_s: seconds after which what was not said yet is not waited for.

    """

    def __init__(self, client: TextClient, model: Callable[[], str], *, budget_s: float = SPEAKING_S) -> None:
        self._client, self._model, self._budget_s = client, model, budget_s
        self._lock = threading.Lock()
        self._latest: LRUCache[str, _Wording] = LRUCache(_REMEMBERED)
        self._room = threading.Semaphore(AT_ONCE)

    def offer(self, session_id: str, ask: ParaphraseRequest, come: Callable[[], None]) -> ParaphraseResult | None:
        """What the model made of a follow-up; ``None`` while it is being asked, which this begins.

        Args:
            session_id: of the interview; it has one follow-up at a time, and what it asked for before is forgotten.
            ask: the follow-up.
            come: called on another thread once there is an offer, where there was none yet.

        """
        with self._lock:
            latest = self._latest.get(session_id)
            if latest is None or latest.ask != ask:
                latest = self._latest[session_id] = _Wording(ask, Future())
                self._begin(latest, come)
        return latest.offer.result() if latest.offer.done() else None

    def awaited(self, session_id: str) -> tuple[Future[ParaphraseResult], ...]:
        """What an interview waits for, or waited for last."""
        with self._lock:
            latest = self._latest.get(session_id)
        return (latest.offer,) if latest is not None else ()

    def _begin(self, wording: _Wording, come: Callable[[], None]) -> None:
        model = self._model()
        if not self._room.acquire(blocking=False):
            wording.offer.set_result(ParaphraseResult(model, 0.0, replaced=FallbackReason.LATE))
            return
        begin = time.monotonic()

        def give(reply: str = "", replaced: FallbackReason | None = None) -> None:
            try:
                wording.offer.set_result(ParaphraseResult(model, time.monotonic() - begin, reply, replaced))
            except InvalidStateError:
                return
            come()

        # A server that sends a byte now and then never times out by itself.
        late = threading.Timer(self._budget_s, give, kwargs={"replaced": FallbackReason.LATE})

        def work() -> None:
            try:
                reply, replaced = self._asked(wording.ask)
            finally:
                self._room.release()
            late.cancel()
            give(reply, replaced)

        # Daemons: leaving the program must not wait for a server that hangs.
        late.daemon = True
        late.start()
        threading.Thread(target=work, name="phrasing", daemon=True).start()

    def _asked(self, ask: ParaphraseRequest) -> tuple[str, FallbackReason | None]:
        try:
            (reply,) = self._client.replies([request(ask)], MOST_TOKENS)
        except InterviewerError as error:
            _log.warning("a follow-up was not worded: %s", error)
            return "", FallbackReason.UNREACHABLE
        except Exception:  # noqa: BLE001 - a fault in a client must not strand the interview
            _log.exception("asking a model to word a follow-up broke")
            return "", FallbackReason.UNREACHABLE
        return reply.text, None
