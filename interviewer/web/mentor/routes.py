"""What a mentor's browser asks for: the list of their group, an interview, an override. Others find nothing here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from interviewer.web.dialogs.requests import answered, problem, sent
from interviewer.web.identity import present
from interviewer.web.mentor.group_reader import Directory, GroupReader, OverrideWish
from interviewer.web.mentor.pages import interview_page, list_page
from interviewer.web.mentor.phrases import NOT_THERE, OVERRIDDEN
from interviewer.web.mentor.shown_pages import shown


class MentorDirectory(Directory, Protocol):
    """Knows groups, and who is a mentor."""

    def is_mentor(self, name: str | None) -> bool:
        """Whether that is a mentor."""
        ...


class MentorRoutes:
    """Answers for every mentor.

    Args:
        directory: knows who is one.
        reader: reads what is theirs to read.

    """

    def __init__(self, directory: MentorDirectory, reader: GroupReader) -> None:
        self._directory = directory
        self._reader = reader

    def routes(self) -> list[Route]:
        """What is served for them."""
        return [
            Route("/group", self._list, methods=["GET"]),
            Route("/group/interview", self._interview, methods=["GET"]),
            Route("/group/override", self._override, methods=["POST"]),
        ]

    async def _list(self, _: Request) -> Response:
        def page() -> str:
            name = present()
            found, now = self._reader.listed(name), datetime.now().astimezone()
            return list_page(found, now, has_candidates=self._reader.has_candidates(name))

        return await self._shown(page)

    async def _interview(self, request: Request) -> Response:
        candidate, session = (request.query_params.get(name, "") for name in ("candidate", "session"))
        return await self._shown(lambda: interview_page(candidate, self._reader.report(present(), candidate, session)))

    async def _override(self, request: Request) -> Response:
        told = await sent(request)
        if told is None or not all(isinstance(told.get(name), str) for name in OverrideWish._fields):
            return problem(NOT_THERE, 400)
        wish = OverrideWish(**{name: told[name] for name in OverrideWish._fields})

        def work() -> Response:
            self._reader.override(present(), wish)
            return JSONResponse({"said": OVERRIDDEN})

        return await answered(work)

    async def _shown(self, page: Callable[[], str]) -> Response:
        return await shown(page, to_mentor=self._directory.is_mentor(present()))
