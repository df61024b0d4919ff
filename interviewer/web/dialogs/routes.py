"""What the dialogs' script asks for: the settings, changing them, deleting what is kept, the history, the stories."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol

from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from interviewer.planning import candidate_background
from interviewer.report.aggregate.comparison import total
from interviewer.report.aggregate.over_time import over_time
from interviewer.report.analysis.findings import findings
from interviewer.report.schema.findings import Findings
from interviewer.session.journal import SessionSummary
from interviewer.session.state import State
from interviewer.storage import settings
from interviewer.storage.results import regrade_folder
from interviewer.text import count
from interviewer.web.dialogs.history_page import Past, history_html
from interviewer.web.dialogs.requests import answered, problem, sent
from interviewer.web.dialogs.settings_form import Deletable, Known, settings_html
from interviewer.web.dialogs.story_routes import StoryRoutes
from interviewer.web.identity import present
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations
from interviewer.web.workspace import Workspace

_REPORTS_KEPT = 400


class Voice(Protocol):
    """What the settings have to know of speech; ``interviewer.web.voice.routes.VoiceRoutes`` is one."""

    @property
    def voices(self) -> Mapping[str, str]:
        """The voices that can be chosen, and what each is called."""
        ...

    @property
    def keeps(self) -> bool:
        """Whether recordings are kept where the person has not chosen."""
        ...


class DialogRoutes:
    """Answers for all who use the page.

    Args:
        here: the place of the one whose request is being answered.
        voice: hears and speaks.
        locations: where what people give is kept and worked on.
        log_out: the address at which whoever logged in logs out.

    """

    def __init__(
        self,
        here: Callable[[], Workspace],
        voice: Voice,
        locations: DataLocations = ALL_HERE,
        *,
        log_out: str = "logout",
    ) -> None:
        self._here = here
        self._locations = locations
        self._log_out = log_out
        self._voice = voice
        # An interview that is over changes only when a mark is disputed or settled, which is told by its latest time.
        self._lock = threading.Lock()
        self._reports: LRUCache[tuple[str, datetime], Findings] = LRUCache(_REPORTS_KEPT)

    def routes(self) -> list[Route]:
        """What the page's script asks for."""
        return [
            Route("/settings", self._settings, methods=["GET"]),
            Route("/settings/change", self._change, methods=["POST"]),
            Route("/settings/delete", self._delete, methods=["POST"]),
            Route("/settings/form", self._form, methods=["GET"]),
            Route("/history", self._history, methods=["GET"]),
            *StoryRoutes(self._here).routes(),
        ]

    def change(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Keep what was chosen; returns all that the page needs to know of the settings.

        Raises:
            BadInputError: there is no such setting, or it cannot have that value.
            StorageError: the disk refused.

        """
        settings.change(self._here().home(), chosen)
        return self.values()

    def values(self) -> dict[str, Any]:
        """What the page's scripts need to know of the settings."""
        values: dict[str, Any] = {"speed": settings.kept(self._here().home()).speed}
        name = present()
        return {**values, "account": {"name": name, "log_out": self._log_out}} if name else values

    def form(self) -> str:
        """The settings as HTML.

        Raises:
            InterviewerError: what is kept of the person cannot be read.

        """
        here = self._here()
        home = here.home()
        known = Known(
            interviews=len(here.controller.past.all()),
            recordings=here.recordings.count(),
            documents=len(here.documents.all()) if here.documents else 0,
            background=candidate_background.kept(home),
            folder="" if present() else str(home),
        )
        kept, voice = settings.kept(home), self._voice
        return settings_html(kept, voice.voices, known, keeps=voice.keeps, locations=self._locations)

    def delete(self, what: Deletable) -> str:
        """Delete something that is kept of the person; returns what was done in words.

        Raises:
            StorageError: the disk refused; some may be left.

        """
        here = self._here()
        if what is Deletable.BACKGROUND:
            candidate_background.forget(here.home())
            return "Your background was deleted."
        if what is Deletable.RECORDINGS:
            return f"{count(here.recordings.delete(), 'recording')} deleted."
        # First: whoever cannot have them deleted can try again while the interviews are there.
        here.recordings.delete()
        deleted = here.controller.past.delete()
        regrade_folder.delete(here.home())
        return f"{count(deleted, 'interview')} deleted."

    def history(self) -> str:
        """The history as HTML.

        Raises:
            InterviewerError: the journal cannot be read.

        """
        here, now = self._here(), datetime.now().astimezone()
        # Read first: what is damaged of them is in the list from then on.
        states = here.controller.past.states()
        interviews = here.controller.past.all()
        whole = [one for one in interviews if one.id in states and one.ended and not (one.damaged or one.newer)]
        reports = [self._report(one, states[one.id]) for one in whole]
        remembered = here.controller.past.history((), states)
        past = Past(
            overall=remembered.overall,
            answered=remembered.interviews,
            scores=over_time(reports),
            totals={report.session_id: total(report) for report in reports},
            interviews=tuple(interviews),
        )
        return history_html(past, now)

    def _report(self, summary: SessionSummary, state: State) -> Findings:
        key = (summary.id, summary.last_activity)
        with self._lock:
            known = self._reports.get(key)
        if known is None:
            known = findings(summary.id, state)
            with self._lock:
                self._reports[key] = known
        return known

    # What the script asks for

    async def _settings(self, _: Request) -> Response:
        return await answered(lambda: JSONResponse(self.values()))

    async def _form(self, _: Request) -> Response:
        return await answered(lambda: HTMLResponse(self.form()))

    async def _history(self, _: Request) -> Response:
        return await answered(lambda: HTMLResponse(self.history()))

    async def _change(self, request: Request) -> Response:
        chosen = await sent(request)
        if chosen is None:
            return Response(status_code=403)
        return await answered(lambda: JSONResponse(self.change(chosen)))

    async def _delete(self, request: Request) -> Response:
        told = await sent(request)
        if told is None:
            return Response(status_code=403)
        what = str(told.get("what"))
        if what not in set(Deletable):
            return problem("There is nothing by that name to delete.", 400)
        return await answered(lambda: JSONResponse({"said": self.delete(Deletable(what))}))
