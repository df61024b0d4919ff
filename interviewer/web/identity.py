"""Who it is that asks, where several people share a machine."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Scope

_ADDRESS: ContextVar[str] = ContextVar("address", default="")
_ASKS: ContextVar[str | None] = ContextVar("asks", default=None)


def present() -> str | None:
    """The name under which the person whose request is being answered logged in; ``None`` where nobody did."""
    request = _asking()
    return _ASKS.get() or (request.username if request is not None else None)


def _asking() -> Any:
    # A command without a page answers no request of Gradio's, and importing it takes seconds.
    local = getattr(sys.modules.get("gradio.context"), "LocalContext", None)
    return local.request.get(None) if local is not None else None


def page() -> str:
    """The name that the page whose event is being answered gave itself; empty where no page asks."""
    request = _asking()
    return str(getattr(request, "session_hash", None) or "")


@contextmanager
def calling_from(scope: Scope) -> Iterator[None]:
    """Keep in mind where a request comes from, for ``address``, while it is answered."""
    client = scope.get("client")
    held = _ADDRESS.set(network_of(client[0]) if client else "")
    try:
        yield
    finally:
        _ADDRESS.reset(held)


def address() -> str:
    """Returns where the request that is being answered comes from; empty where that is not known."""
    return _ADDRESS.get()


def network_of(host: str) -> str:
    """Returns an IPv4 address as it is and the /64 network of an IPv6 address, all of which one customer has."""
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return host
    if parsed.version == 4:
        return str(parsed)
    mapped = parsed.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((parsed, 64), strict=False))


def guarded(routes: Sequence[Route]) -> list[Route]:
    """Routes beside Gradio's own, for those only who logged in, and answered in their name."""
    return [Route(route.path, _guarded(route.endpoint), methods=sorted(route.methods or ())) for route in routes]


def _guarded(endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        name = logged_in(request.scope)
        if name is None:
            return Response(status_code=401)
        held = _ASKS.set(name)
        try:
            return await endpoint(request)
        finally:
            _ASKS.reset(held)

    return answer


def logged_in(scope: Scope) -> str | None:
    """Returns the name under which somebody logged in, as Gradio tells it of its own routes: by its login's token."""
    app, cookies = scope["app"], Request(scope).cookies
    if app.auth_dependency is not None:
        name: str | None = app.auth_dependency(Request(scope))
        return name
    names = (f"access-token-{app.cookie_id}", f"access-token-unsecure-{app.cookie_id}")
    return next((name for cookie in names if (name := app.tokens.get(cookies.get(cookie)))), None)
