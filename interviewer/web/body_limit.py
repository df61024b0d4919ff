"""A limit on what is read of a request, counted while it comes. ASGI."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def answer_limited(app: ASGIApp, scope: Scope, receive: Receive, send: Send, largest: int) -> None:
    """Has a request answered, or refuses it with status 413 once it is larger than that.

    What says its length beforehand is refused before anything of it is read. For all else the bytes are counted; past
    the limit the application sees a client that went away, and whatever it answers to that is replaced.

    Args:
        app: answers.
        scope: of the request.
        receive: gives the request.
        send: takes the answer.
        largest: bytes of the largest body.

    """
    length = Headers(scope=scope).get("content-length", "")
    if length.isdecimal() and int(length) > largest:
        await _refusal(largest)(scope, receive, send)
        return
    taken, over, begun = 0, False, False

    async def counted() -> Message:
        nonlocal taken, over
        if over:
            return {"type": "http.disconnect"}
        message = await receive()
        taken += len(message.get("body", b""))
        over = taken > largest
        return {"type": "http.disconnect"} if over else message

    async def told(message: Message) -> None:
        nonlocal begun
        if over and not begun:
            return
        begun = True
        await send(message)

    try:
        await app(scope, counted, told)
    except Exception:
        if not over:
            raise
    if over and not begun:
        await _refusal(largest)(scope, receive, send)


def _refusal(largest: int) -> JSONResponse:
    said = f"The request is larger than {largest / 2**20:.0f} MB and was not read. Send less at once."
    # What is left of it would be taken for the next request.
    return JSONResponse({"detail": said, "error": said}, status_code=413, headers={"Connection": "close"})
