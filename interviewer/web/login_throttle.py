"""How often somebody may try to log in: by the name they try and by where they come from, with waits that double."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import LRUCache
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import Scope

from interviewer.web import identity

FREE_OF_NAME = 5
"""Wrong passwords of one name before one has to wait."""

FREE_OF_ADDRESS = 20
"""Wrong passwords from one address before one has to wait; several people may share it."""

LONGEST_WAIT_S = 60.0
"""Seconds of the longest wait. No longer, so that a stranger cannot keep anybody out for long."""

FORGOTTEN_S = 3600.0
"""Seconds after which wrong passwords no longer count."""

MOST_KNOWN = 4096
"""Names and addresses that are remembered, each; the least recently tried goes."""

_COOKIE = "interviewer-wait"


@dataclass
class _Tried:
    """Attempts since the last that succeeded.

    Attributes:
        count: how many.
        at: when the latest was, on the throttle's clock.

    """

    count: int = 0
    at: float = 0.0


class LoginThrottle:
    """Counts attempts; safe to use from several threads.

    Args:
        clock: seconds that only grow.
        most_known: names and addresses that are remembered, each.

    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, most_known: int = MOST_KNOWN) -> None:
        self._clock = clock
        self._names: LRUCache[str, _Tried] = LRUCache(most_known)
        self._addresses: LRUCache[str, _Tried] = LRUCache(most_known)
        self._lock = threading.Lock()

    def begin(self, name: str, address: str) -> float:
        """Count an attempt as failed before its password is looked at, so that many at once do not slip through.

        Args:
            name: what they want to log in as, any text.
            address: where they come from.

        Returns:
            0 where the attempt may be made; else the seconds to wait, and the attempt was not counted.

        """
        with self._lock:
            now = self._clock()
            tried = [
                (self._of(self._names, name, now), FREE_OF_NAME),
                (self._of(self._addresses, address, now), FREE_OF_ADDRESS),
            ]
            wait = max(each.at + wait_after(each.count, free) - now for each, free in tried)
            if wait > 0:
                return wait
            for each, _ in tried:
                each.count += 1
                each.at = now
            return 0.0

    def succeeded(self, name: str, address: str) -> None:
        """The attempt was right: the name begins anew, and the address has one attempt less."""
        with self._lock:
            self._names.pop(name, None)
            tried = self._addresses.get(address)
            if tried is not None and tried.count:
                tried.count -= 1

    def _of(self, known: LRUCache[str, _Tried], key: str, now: float) -> _Tried:
        tried = known.get(key)
        if tried is None or now - tried.at > FORGOTTEN_S:
            tried = known[key] = _Tried()
        return tried


def wait_after(count: int, free: int) -> float:
    """Returns the seconds between the latest of so many wrong passwords and the next attempt."""
    if count < free:
        return 0.0
    return min(2.0 ** min(count - free, 16), LONGEST_WAIT_S)


def must_wait(seconds: float) -> HTTPException:
    """Returns what an attempt that comes too early is answered with: back to the page, which tells how long to wait.

    Gradio's form shows no text of ours, but it reloads the page when the answer is a good one.
    """
    whole = math.ceil(seconds)
    headers = {
        "Location": "./",
        "Retry-After": str(whole),
        "Set-Cookie": f"{_COOKIE}={whole}; Max-Age={whole}; Path=/; HttpOnly; SameSite=Strict",
    }
    return HTTPException(303, detail=_sentence(whole), headers=headers)


def asked_to_wait(scope: Scope) -> HTMLResponse | None:
    """Returns the page for a browser that was told to wait and has not logged in; ``None`` for every other."""
    given = Request(scope).cookies.get(_COOKIE, "")
    if (
        not (given.isdecimal() and given.isascii())
        or scope["app"].auth is None
        or identity.logged_in(scope) is not None
    ):
        return None
    seconds = min(int(given[:4]), math.ceil(LONGEST_WAIT_S))
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mock interview</title>'
        f'<meta http-equiv="refresh" content="{seconds}"></head>'
        f"<body><main><h1>Mock interview</h1><p>{_sentence(seconds)} This page will reload by itself.</p></main></body>"
        "</html>"
    )
    return HTMLResponse(page, headers={"Cache-Control": "no-store"})


def _sentence(seconds: int) -> str:
    return f"Too many attempts to log in. Wait {seconds} second{'' if seconds == 1 else 's'} and try again."
