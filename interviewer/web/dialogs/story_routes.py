"""What the page's script asks for on the person's stories: the dialog, its list, a story told, a story removed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from interviewer.web.dialogs.requests import answered, sent
from interviewer.web.dialogs.stories_page import list_html, stories_html
from interviewer.web.workspace import Workspace
from knowledge.model import Kind, Question
from serving.errors import BadInputError


class StoryRoutes:
    """Answers for all who use the page.

    Args:
        here: the place of the one whose request is being answered.

    """

    def __init__(self, here: Callable[[], Workspace]) -> None:
        self._here = here

    def routes(self) -> list[Route]:
        """What the page's script asks for."""
        return [
            Route("/stories", self._stories, methods=["GET"]),
            Route("/stories/list", self._list, methods=["GET"]),
            Route("/stories/tell", self._tell, methods=["POST"]),
            Route("/stories/remove", self._remove, methods=["POST"]),
        ]

    def dialog(self) -> str:
        """The dialog as HTML.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        controller = self._here().controller
        bank, now = controller.stories, datetime.now().astimezone()
        # Asked first: a mark that comes in between makes one look too many, and never one too few.
        waiting = bank.waiting()
        return stories_html(bank.all(), self._questions(), waiting, controller.new_session(), now)

    def listed(self) -> str:
        """The stories alone as HTML.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        bank = self._here().controller.stories
        waiting = bank.waiting()
        return list_html(bank.all(), waiting, datetime.now().astimezone())

    def tell(self, question_id: str, text: str, request: str) -> dict[str, str]:
        """Keep a story; the same request again keeps it once. Returns what was done, and the name of the next request.

        Raises:
            InterviewerError: it cannot be kept; nothing was stored.

        """
        question = next((each for each in self._questions() if each.id == question_id), None)
        if question is None:
            raise BadInputError("There is no such behavioral question.", hint="Choose one from the list.")
        controller = self._here().controller
        controller.tell_story(question, text, request)
        return {"said": "Story added.", "request": controller.new_session()}

    def remove(self, story_id: str) -> dict[str, str]:
        """Take a story out; returns what was done.

        Raises:
            InterviewerError: there is none of that id, or the disk refused.

        """
        self._here().controller.stories.remove(story_id)
        return {"said": "Story removed. Your answers stay in its interviews."}

    def _questions(self) -> list[Question]:
        asked = (each for each in self._here().library.questions() if each.kind is Kind.BEHAVIORAL and each.rubric)
        return sorted(asked, key=lambda each: each.spoken)

    async def _stories(self, _: Request) -> Response:
        return await answered(lambda: HTMLResponse(self.dialog()))

    async def _list(self, _: Request) -> Response:
        return await answered(lambda: HTMLResponse(self.listed()))

    async def _tell(self, request: Request) -> Response:
        told = await sent(request)
        if told is None:
            return Response(status_code=403)
        question, text, name = (str(told.get(key, "")) for key in ("question", "text", "request"))
        return await answered(lambda: JSONResponse(self.tell(question, text, name)))

    async def _remove(self, request: Request) -> Response:
        told = await sent(request)
        if told is None:
            return Response(status_code=403)
        return await answered(lambda: JSONResponse(self.remove(str(told.get("story", "")))))
