"""Bounds on the page's events: what they may name, and how much is kept for pages that never read it. ASGI.

Gradio keeps what came of an event until the page reads it, without a limit for one page, and forgets nothing of pages
that never come back.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from gradio.queueing import Queue
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interviewer.web.downloads import is_upload

MOST_OF_ONE = 64
"""Events of one page whose results it has not read yet; a page has less than ten."""

MOST_UNREAD = 400
"""Pages that do not listen, and their events; the pages that have asked for nothing for longest are dropped."""

_PAGE = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_HALF = re.compile(r"[\ud800-\udfff]")


class EventQueueGuard:
    """Lets events of pages into Gradio's queue, and bounds what is kept for them; for use in one event loop.

    Args:
        queue: gives Gradio's queue.
        most_of_one: unread events of one page.
        most_unread: pages that do not listen, and their unread events.

    """

    def __init__(
        self, queue: Callable[[], Queue], *, most_of_one: int = MOST_OF_ONE, most_unread: int = MOST_UNREAD
    ) -> None:
        self._queue = queue
        self._most_of_one = most_of_one
        self._most_unread = most_unread
        self._listening: Counter[str] = Counter()

    async def join(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Let an event in, or refuse it: status 400 for what no page sends, 429 where too much of it is unread."""
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        event, whole = _event_of(body)
        page = _page_of(event)
        if page is None or not self._is_complete(event, page):
            await _told("This is not an event of the page.", 400)(scope, receive, send)
            return
        if len(self._queue().pending_event_ids_session.get(page, ())) >= self._most_of_one:
            said = "Too much was asked for at once. Wait a moment, or reload the page."
            await _told(said, 429)(scope, receive, send)
            return
        self._move_to_end(page)
        await self._make_room()
        await app(scope, _replayed(whole, receive), send)

    async def read(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a page told what came of its events; while it listens nothing of it is dropped."""
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=8)
        page = asked.get("session_hash", [""])[0]
        if not _PAGE.fullmatch(page):
            await _told("This is not an event of the page.", 400)(scope, receive, send)
            return
        self._listening[page] += 1
        try:
            await app(scope, receive, send)
        finally:
            self._listening[page] -= 1
            if not self._listening[page]:
                del self._listening[page]

    def _is_complete(self, event: Any, page: str) -> bool:
        """Whether an event brings what its function takes; else Gradio prints all that it does bring, as it is."""
        number, data = event.get("fn_index"), event.get("data")
        function = self._functions(page).get(number) if isinstance(number, int) else None
        return function is not None and isinstance(data, list) and len(data) >= len(function.inputs)

    def _functions(self, page: str) -> Mapping[int, Any]:
        """The functions of a page; what is drawn for it alone, such as buttons beside marks, has some of its own."""
        blocks = self._queue().blocks
        known = blocks.state_holder
        functions: Mapping[int, Any] = known[page].blocks_config.fns if page in known else blocks.fns
        return functions

    async def _make_room(self) -> None:
        queue = self._queue()
        # Gradio keeps an empty set and an empty queue of every page that was ever open.
        kept = queue.pending_event_ids_session.items()
        unread = {page: len(ids) for page, ids in kept if page not in self._listening}
        over = sum(unread.values()) + len(unread) - self._most_unread
        for page, count in unread.items():
            if over < 0:
                break
            over -= count + 1
            await queue.clean_events(session_hash=page)
            self._forget(page)

    def _move_to_end(self, page: str) -> None:
        kept = self._queue().pending_event_ids_session
        if page in kept:
            kept[page] = kept.pop(page)

    def _forget(self, page: str) -> None:
        # Not as soon as all is read: a page may listen once more for an event whose result came on its last stream,
        # before the answer that named the event. It would be told that it is unknown.
        queue = self._queue()
        queue.pending_event_ids_session.pop(page, None)
        queue.pending_messages_per_session.pop(page, None)


def _event_of(body: bytes | bytearray) -> tuple[Any, bytes]:
    """What a request holds, ``None`` where it is no JSON, and the request as Gradio may read it.

    Half of a surrogate pair becomes a replacement character, as in a form that a browser sends. Gradio cannot write
    such a half into what it answers: the page's stream would break off, whatever else was on it.
    """
    try:
        event = json.loads(body)
        told = json.dumps(event, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None, bytes(body)
    whole = _HALF.sub("\ufffd", told)
    return (event, bytes(body)) if whole == told else (json.loads(whole), whole.encode())


def _page_of(event: Any) -> str | None:
    """The page that an event is of; ``None`` where it is none, or names files that nobody uploaded."""
    page = event.get("session_hash") if isinstance(event, dict) else None
    if not isinstance(page, str) or not _PAGE.fullmatch(page):
        return None
    # Gradio would fetch an address, and take any file that it has made for anybody.
    if not all(isinstance(path, str) and is_upload(Path(path)) for path in _paths(event.get("data"))):
        return None
    return page


def _paths(data: Any) -> Iterator[Any]:
    """All paths of files that an event's values name."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            if "path" in value:
                yield value["path"]
            left += value.values()


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _told(said: str, status: int) -> JSONResponse:
    return JSONResponse({"detail": said}, status_code=status)
