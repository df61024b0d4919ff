"""What stands before all of Gradio: whether a request is answered at all. ASGI.

It is the outermost middleware, outside of Gradio's own, which answers CORS requests by itself and for any port of
localhost. Refused are other hosts and origins, what the page has no need of, requests that are too large, and other
people's files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette._utils import get_route_path
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interviewer.web import identity, offered_routes
from interviewer.web.allowed_hosts import VARIABLE, AllowedHosts
from interviewer.web.body_limit import answer_limited
from interviewer.web.downloads import may_download
from interviewer.web.event_queue_guard import EventQueueGuard
from interviewer.web.login_throttle import asked_to_wait
from interviewer.web.sign_in.provider import BACK, BEGIN

_HEADERS = {
    # Nobody shows the page inside of theirs, or takes a file of it for a script.
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
}

_VISITED = frozenset({"/", BEGIN, BACK})


class RequestGuard:
    """Answers what may be answered by the application below it.

    Args:
        app: the application.
        hosts: whom the page is served as.
        events: bounds what is kept for pages that do not read it.
        routes: those beside Gradio's own.

    """

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, events: EventQueueGuard, routes: Sequence[Route]) -> None:
        self._app = app
        self._hosts = hosts
        self._events = events
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refused = refusal(scope, self._hosts)
        if scope["type"] == "websocket":
            # The page uses none.
            await send({"type": "websocket.close", "code": 1008, "reason": "Not offered."})
            return
        if refused:
            await _told(refused, 403)(scope, receive, send)
            return
        path = get_route_path(scope)
        if not self._offered(scope, path):
            await _told("There is nothing here.", 404)(scope, receive, send)
            return
        if path == "/" and (wait := asked_to_wait(scope)) is not None:
            await wait(scope, receive, send)
            return
        with identity.calling_from(scope):
            await self._answer(path, scope, receive, _with_headers(send))

    def _offered(self, scope: Scope, path: str) -> bool:
        if not offered_routes.is_offered(path, scope["method"], self._routes):
            return False
        if not path.startswith(offered_routes.FILE):
            return True
        return may_download(Path(path.removeprefix(offered_routes.FILE)), identity.logged_in(scope))

    async def _answer(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            if path == offered_routes.JOIN:
                await self._events.join(self._app, scope, receive, send)
            elif path == offered_routes.EVENTS:
                await self._events.read(self._app, scope, receive, send)
            else:
                await self._app(scope, receive, send)

        await answer_limited(answered, scope, receive, send, offered_routes.largest(path))


def refusal(scope: Scope, hosts: AllowedHosts) -> str:
    """Returns why a request is not answered, by its Host, Origin and fetch metadata; empty where it is."""
    headers = Headers(scope=scope)
    named, origins = headers.getlist("host"), headers.getlist("origin")
    if len(named) != 1 or not hosts.takes_host(named[0]):
        return (
            "The page is not served under this name. If the name is yours, start the server with "
            f"--allowed-host NAME or set {VARIABLE}."
        )
    forwarded = [name.strip() for text in headers.getlist("x-forwarded-host") for name in text.split(",")]
    if not all(map(hosts.takes_host, forwarded)):
        return "The page is not served under the name that the proxy gives. Start the server with --allowed-host NAME."
    if len(origins) > 1 or not all(hosts.takes_origin(text, _scheme(scope), named[0]) for text in origins):
        return "Requests from other sites are not answered."
    if headers.get("sec-fetch-site") in {"cross-site", "same-site"} and not _is_visit(scope, headers):
        return "Requests from other sites are not answered."
    return ""


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to the page, which any site may have, or signs in at another one."""
    return (
        scope["type"] == "http"
        and scope["method"] in {"GET", "HEAD"}
        and get_route_path(scope) in _VISITED
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def _scheme(scope: Scope) -> str:
    scheme = str(scope.get("scheme", "http"))
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _told(said: str, status: int) -> JSONResponse:
    return JSONResponse({"detail": said}, status_code=status)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
