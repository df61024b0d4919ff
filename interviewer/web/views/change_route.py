"""Tells an open page whether there is something new to show, at next to no cost.

Every open page asks this once a second. As an event of Gradio's it passes through a queue and a stream, which takes
many times as long as the answer itself.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from interviewer.web.gradio_support import note_html
from interviewer.web.workspace import Workspace
from serving.errors import InterviewerError

PATH = "/changed"


class ChangeRoute:
    """Answers for all open pages.

    Args:
        here: the place of the one whose request is being answered.

    """

    def __init__(self, here: Callable[[], Workspace]) -> None:
        self._here = here

    def routes(self) -> list[Route]:
        """What the page's script asks for."""
        return [Route(PATH, self._changed, methods=["GET"])]

    def changed(self, session: str, seen: str) -> dict[str, bool | str]:
        """Whether an interview shows something else than ``seen``, and what keeps it from being known, as HTML.

        Args:
            session: the interview's id.
            seen: digest of the view that the page shows.

        """
        try:
            return {"changed": self._here().controller.look(session, seen) is not None, "trouble": ""}
        except InterviewerError as error:
            return {"changed": False, "trouble": note_html(str(error))}

    async def _changed(self, request: Request) -> JSONResponse:
        session, seen = (request.query_params.get(name, "") for name in ("session", "seen"))
        return JSONResponse(await run_in_threadpool(self.changed, session, seen), headers={"cache-control": "no-store"})
