"""How the dialogs' requests are read and answered: only the page's own script is heard, errors are told in words."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from serving.errors import BadInputError, InterviewerError

_LOG = logging.getLogger(__name__)


async def sent(request: Request) -> dict[str, Any] | None:
    """The JSON object that the page's script sent; ``None`` where it was not the page's script, or is none."""
    # A page of somebody else may send forms here, but no such header.
    if request.headers.get("x-interviewer") != "settings":
        return None
    try:
        told = json.loads(await request.body())
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


async def answered(work: Callable[[], Response]) -> Response:
    """What some work answers, done on another thread; where it fails, what to tell the person."""
    try:
        return await run_in_threadpool(work)
    except BadInputError as error:
        return problem(str(error), 400)
    except InterviewerError as error:
        _LOG.warning("%s", error)
        return problem(str(error), 503)


def problem(said: str, status: int) -> Response:
    """An answer that tells why nothing was done."""
    return JSONResponse({"problem": said}, status_code=status)
