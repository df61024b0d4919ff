"""Which of Gradio's routes the page needs, and how large a request each may be. Pure.

Gradio serves many more: some take files, some fetch addresses of the internet, some ask for no log-in. What is not
listed here does not exist for anybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.routing import Route

from interviewer.web.voice.routes import LARGEST as LARGEST_RECORDING

JOIN = "/gradio_api/queue/join"
"""Takes the page's events."""

EVENTS = "/gradio_api/queue/data"
"""Streams what came of them."""

FILE = "/gradio_api/file="
"""Beginning of the paths that files are downloaded from."""

UPLOAD = "/gradio_api/upload"
"""Takes files."""

LARGEST_BODY = 4 * 2**20
"""Bytes of the largest request that is read where nothing else is said; the longest notes have 300,000."""

LARGEST_UPLOAD = 100 * 2**20
"""Bytes of the largest request with files; each file has a limit of its own besides."""

_READ = frozenset({"GET", "HEAD"})
_POST = frozenset({"POST"})
_EXACT: Mapping[str, frozenset[str]] = {
    "/": _READ,
    "/config": _READ,
    "/config/": _READ,
    "/favicon.ico": _READ,
    "/logout": _READ,
    "/manifest.json": _READ,
    "/robots.txt": _READ,
    "/theme.css": _READ,
    "/login": _POST,
    "/login/": _POST,
    "/gradio_api/app_id": _READ,
    "/gradio_api/cancel": _POST,
    "/gradio_api/info": _READ,
    "/gradio_api/startup-events": _READ,
    "/gradio_api/upload_progress": _READ,
    "/gradio_api/user": _READ,
    EVENTS: _READ,
    JOIN: _POST,
    UPLOAD: _POST,
}
_BELOW: Mapping[str, frozenset[str]] = {
    "/assets/": _READ,
    "/static/": _READ,
    "/svelte/": _READ,
    "/gradio_api/heartbeat/": _READ,
    FILE: _READ,
}
_LARGEST: Mapping[str, int] = {UPLOAD: LARGEST_UPLOAD, "/voice/hear": LARGEST_RECORDING}


def is_offered(path: str, method: str, routes: Sequence[Route] = ()) -> bool:
    """Whether the page answers requests for a path.

    Args:
        path: the path, decoded, without the prefix of a proxy.
        method: of the request, in capitals.
        routes: those beside Gradio's own.

    """
    if method in _EXACT.get(path, ()):
        return True
    if any(path.startswith(prefix) and method in methods for prefix, methods in _BELOW.items()):
        return True
    return any(route.path_regex.match(path) and method in (route.methods or ()) for route in routes)


def largest(path: str) -> int:
    """Returns the bytes of the largest request that is read for a path."""
    return _LARGEST.get(path, LARGEST_BODY)
