"""Who it is that asks, where several people share a machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar

from gradio.context import LocalContext
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_ASKS: ContextVar[str | None] = ContextVar("asks", default=None)


def present() -> str | None:
    """The name under which the person whose request is being answered logged in; ``None`` where nobody did."""
    request = LocalContext.request.get(None)
    return _ASKS.get() or (request.username if request is not None else None)


def guarded(routes: Sequence[Route]) -> list[Route]:
    """Routes beside Gradio's own, for those only who logged in, and answered in their name."""
    return [Route(route.path, _guarded(route.endpoint), methods=sorted(route.methods or ())) for route in routes]


def _guarded(endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        name = _logged_in(request)
        if name is None:
            return Response(status_code=401)
        held = _ASKS.set(name)
        try:
            return await endpoint(request)
        finally:
            _ASKS.reset(held)

    return answer


def _logged_in(request: Request) -> str | None:
    """As Gradio tells it of its own routes: by the token that its login set."""
    app = request.app
    cookies = (f"access-token-{app.cookie_id}", f"access-token-unsecure-{app.cookie_id}")
    return next((name for cookie in cookies if (name := app.tokens.get(request.cookies.get(cookie)))), None)
