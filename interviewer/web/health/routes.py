"""Health of a page, for whoever sends people to it: no log-in, and nothing about anybody."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from serving.errors import InterviewerError
from serving.llm.judge_health import JudgeHealth
from serving.warmup import Step

if TYPE_CHECKING:
    from serving.sandbox.remote.health import RunnerHealth

LIVE = "/health/live"
"""Answers while the process serves; whoever gets no answer may start it again."""

READY = "/health/ready"
"""Answers 200 while answers can be stored, else 503; whoever gets that may send people elsewhere."""

_NOBODY = "0" * 32

_log = logging.getLogger(__name__)


class Journal(Protocol):
    """What is asked of a journal; ``interviewer.session.journal.EventJournal`` has it."""

    def holds(self, session_id: str) -> bool:
        """Whether there is anything of a session."""
        ...


class Loading(Protocol):
    """What is loading; ``serving.warmup.Warmup`` is one."""

    def steps(self) -> Sequence[Step]:
        """Where each step stands."""
        ...


class HealthRoutes:
    """Answers for one page.

    Args:
        journal: where answers are stored.
        warmup: what is loading. A page takes answers before it is done: they are graded afterwards.
        judges: how the judges fare that the page was told of.
        runners: how the runners fare that the page was told of.

    """

    def __init__(
        self,
        journal: Journal,
        warmup: Loading,
        judges: Callable[[], Sequence[JudgeHealth]] = tuple,
        runners: Callable[[], Sequence[RunnerHealth]] = tuple,
    ) -> None:
        self._journal, self._warmup = journal, warmup
        self._others: dict[str, Callable[[], Sequence[JudgeHealth | RunnerHealth]]]
        self._others = {"judge": judges, "runner": runners}

    def routes(self) -> list[Route]:
        """What is asked for and who answers."""
        return [Route(LIVE, self._live), Route(READY, self._ready)]

    async def _live(self, _: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def _ready(self, _: Request) -> Response:
        stores = await run_in_threadpool(self._stores)
        waiting = [step.name for step in self._warmup.steps() if step.state != "done"]
        told: dict[str, object] = {"ready": stores, "journal": stores, "loading": waiting}
        # Whoever reaches the page may ask, so the machines behind it go by their numbers.
        for kind, of_kind in self._others.items():
            fares = [each.model_dump(mode="json", exclude={"url"}) for each in of_kind()]
            if fares:
                told[f"{kind}s"] = [{kind: number, **each} for number, each in enumerate(fares, 1)]
        return JSONResponse(told, 200 if stores else 503)

    def _stores(self) -> bool:
        try:
            self._journal.holds(_NOBODY)
        except InterviewerError as error:
            _log.warning("not ready: %s", error)
            return False
        return True
