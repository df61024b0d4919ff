"""How a mentor is shown a page: others find nothing there, errors are told in words."""

from __future__ import annotations

import logging
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from interviewer.web.mentor.pages import problem_page
from interviewer.web.mentor.phrases import NOT_THERE
from serving.errors import BadInputError, InterviewerError

_LOG = logging.getLogger(__name__)


async def shown(page: Callable[[], str], *, to_mentor: bool) -> Response:
    """A page, made on another thread; where it fails, one that says why.

    Args:
        page: gives it as HTML.
        to_mentor: whether it is a mentor who asks.

    """
    headers = {"Cache-Control": "no-store"}
    if not to_mentor:
        return HTMLResponse(problem_page(NOT_THERE), 404, headers)
    try:
        return HTMLResponse(await run_in_threadpool(page), 200, headers)
    except BadInputError as error:
        return HTMLResponse(problem_page(str(error)), 404, headers)
    except InterviewerError as error:
        _LOG.warning("%s", error)
        return HTMLResponse(problem_page(str(error)), 503, headers)
