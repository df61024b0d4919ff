"""What a mentor's browser asks for about assignments. Others find nothing here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from interviewer.planning.agenda import InterviewOptions, draw_up
from interviewer.planning.agenda_text import agenda_text
from interviewer.planning.assigned import LONGEST, SHORTEST, AssignmentWish
from interviewer.planning.known_names import known_topic, topics_of
from interviewer.session.journal import is_session_id, new_session_id
from interviewer.web.assignments import phrases
from interviewer.web.assignments.mentor_assignments import Directory, MentorAssignments
from interviewer.web.assignments.mentor_pages import assignment_page, give_page, list_page
from interviewer.web.dialogs.requests import answered, problem, sent
from interviewer.web.identity import present
from interviewer.web.mentor.phrases import NOT_THERE
from interviewer.web.mentor.shown_pages import shown
from knowledge.model import Level, Question
from serving.errors import BadInputError

_TEXTS = ("title", "group", "agenda", "due", "zone", "level", "style", "mode", "note", "tries")
_LISTED = 50


class AssignmentRoutes:
    """Answers for every mentor.

    Args:
        directory: knows who is one.
        given: does what they ask for.
        questions: all there are, by which an agenda is drawn up.

    """

    def __init__(
        self, directory: Directory, given: MentorAssignments, questions: Callable[[], Sequence[Question]]
    ) -> None:
        self._directory = directory
        self._given = given
        self._questions = questions

    def routes(self) -> list[Route]:
        """What is served for them."""
        return [
            Route("/group/assignments", self._list, methods=["GET"]),
            Route("/group/assignment", self._one, methods=["GET"]),
            Route("/group/assign", self._form, methods=["GET"]),
            Route("/group/give", self._give, methods=["POST"]),
            Route("/group/agenda", self._agenda, methods=["POST"]),
            Route("/group/change", self._change, methods=["POST"]),
        ]

    async def _list(self, _: Request) -> Response:
        now = datetime.now().astimezone()
        return await self._shown(lambda: list_page(self._given.followed(present(), now), now))

    async def _one(self, request: Request) -> Response:
        name, now = request.query_params.get("id", ""), datetime.now().astimezone()
        return await self._shown(lambda: assignment_page(self._given.one(present(), name, now), now))

    async def _form(self, _: Request) -> Response:
        return await self._shown(
            lambda: give_page(self._given.groups(present()), topics_of(self._questions()), new_session_id())
        )

    async def _give(self, request: Request) -> Response:
        told = await sent(request)
        name = told.get("request") if told else None
        wish = _wish(told) if told else None
        if wish is None or not isinstance(name, str) or not is_session_id(name):
            return problem(phrases.NO_WISH, 400)

        def work() -> Response:
            self._given.give(present(), wish, name, datetime.now().astimezone())
            return JSONResponse({"said": phrases.GIVEN, "to": f"assignment?id={name}"})

        return await answered(work)

    async def _agenda(self, request: Request) -> Response:
        told = await sent(request)
        if told is None or not self._directory.is_mentor(present()):
            return problem(NOT_THERE, 400)
        return await answered(lambda: JSONResponse({"agenda": self._drawn_up(told)}))

    async def _change(self, request: Request) -> Response:
        told = await sent(request) or {}
        name, what, due, zone = (told.get(key) for key in ("id", "what", "due", "zone"))

        def work() -> Response:
            if what == "extend" and isinstance(due, str) and isinstance(zone, str):
                self._given.extend(present(), str(name), due, zone, datetime.now().astimezone())
                return JSONResponse({"said": phrases.EXTENDED})
            if what == "close":
                self._given.close(present(), str(name))
                return JSONResponse({"said": phrases.CLOSED})
            if what == "withdraw":
                self._given.withdraw(present(), str(name))
                return JSONResponse({"said": phrases.WITHDRAWN})
            return problem(phrases.NO_WISH, 400)

        return await answered(work)

    def _drawn_up(self, told: Mapping[str, Any]) -> str:
        questions = self._questions()
        drawn = agenda_text(draw_up(_options(told, topics_of(questions)), questions))
        if not drawn:
            raise BadInputError(phrases.NO_MATCH)
        return drawn

    async def _shown(self, page: Callable[[], str]) -> Response:
        return await shown(page, to_mentor=self._directory.is_mentor(present()))


def _wish(told: Mapping[str, Any]) -> AssignmentWish | None:
    """What the form sent; ``None`` where it was not the form."""
    candidates = told.get("candidates", [])
    if not all(isinstance(told.get(name), str) for name in _TEXTS) or not isinstance(candidates, list):
        return None
    return AssignmentWish(
        **{name: told[name] for name in _TEXTS},
        candidates=tuple(dict.fromkeys(str(each) for each in candidates)),
        only_listed=told.get("only_listed") is True,
        talks=told.get("talks") is True,
    )


def _options(told: Mapping[str, Any], known: Sequence[str]) -> InterviewOptions:
    """What an agenda is drawn up by.

    Raises:
        BadInputError: it cannot be used.

    """
    role, topics, level, length = (str(told.get(name, "")) for name in ("role", "topics", "level", "minutes"))
    number = int(length) if length.isascii() and length.isdigit() else 0
    if not SHORTEST <= number <= LONGEST:
        raise BadInputError(phrases.DRAWN_UP_WITHOUT)
    if level not in set(Level):
        raise BadInputError(phrases.NO_WISH)
    named = tuple(dict.fromkeys(known_topic(topic.strip(), known) for topic in topics.split(",") if topic.strip()))[
        :_LISTED
    ]
    return InterviewOptions(
        role=role, topics=named, level=Level(level), minutes=number, talks=told.get("talks") is True
    )
