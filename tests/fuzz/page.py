"""Fuzz target: what a page's script could send to a running page, valid or not, in any order.

An input is JSON: steps. A step names an event of the page by element and kind, and gives its data by position; in them
``$session``, ``$turn``, ``$seen`` and ``$draft`` stand for what an honest page would send just then. A step with
``path`` is a plain request instead. The page is the real one, in this process, over HTTP, with a grader that needs no
model. None of its own functions may raise, no answer may hold a traceback, every event must be answered, the page must
stay up, and an interview whose id was never sent must stay as it is.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import gradio as gr
import httpx

from interviewer.engine.service import InterviewService
from interviewer.planning.agenda import InterviewOptions
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.view_state import render
from knowledge.ingestion.pipeline import IngestReport
from serving import paths
from serving.llm.vllm_server import free_port
from serving.warmup import Warmup
from tests.fuzz.mutate import VALUES, mutated_json
from tests.fuzz.target import FoundError, Target
from tests.fuzz.traces import traced
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF

ANSWERED_S = 60.0
"""Seconds within which an event must be answered."""

SAID = (
    "leaf and graph",
    "never leaf",
    "a hint, please",
    "skip",
    "",
    "I don't know",
    "answer: skip",
    "go back",
    "x" * 300,
)
PATHS = (
    *(
        "/",
        "/config",
        "/gradio_api/info",
        "/gradio_api/queue/status",
        "/gradio_api/queue/join",
        "/gradio_api/queue/data",
    ),
    *("/gradio_api/upload", "/gradio_api/file=/etc/passwd", "/gradio_api/file=../../journal.db", "/theme.css"),
    *("/changed", "/changed?session=%00&seen=%ff", "/changed?session=../../journal.db&session=x"),
    *("/gradio_api/run/predict", "/gradio_api/call/start", "/gradio_api/cancel", "/gradio_api/reset", "/login"),
    *(
        "/gradio_api/component_server",
        "/gradio_api/heartbeat/x",
        "/gradio_api/proxy=http://127.0.0.1:1/",
        "/monitoring",
    ),
)


class PageEvents:
    """The target; use ``opened``."""

    def __init__(self, blocks: gr.Blocks, controller: PageController, journal: Journal, url: str) -> None:
        self._controller, self._journal = controller, journal
        # A connection a request: one that is kept may be closed by the server in the moment in which it is used again.
        apart = httpx.Limits(max_keepalive_connections=0)
        self._http = httpx.Client(base_url=url, timeout=ANSWERED_S, trust_env=False, limits=apart)
        config = blocks.get_config_file()
        components = {each["id"]: each for each in config["components"]}
        self._names = {number: each["props"].get("elem_id") or "" for number, each in components.items()}
        self._values = {number: each["props"].get("value") for number, each in components.items()}
        self._events = {self._name(event): event for event in config["dependencies"] if event["backend_fn"]}
        self._raised: list[str] = []
        for function in blocks.fns.values():
            if function.fn is not None:
                function.fn = _recorded(function.fn, self._raised)
        self._beside = self._controller.new_session()
        self._controller.start(self._beside, InterviewOptions(length=2, talks=False), SHELF.questions())
        self._kept = journal.events(self._beside)

    def _name(self, event: dict[str, Any]) -> str:
        number, kind = event["targets"][0]
        return f"{self._names.get(number) or number}.{kind}" if kind != "tick" else f"tick.{len(event['inputs'])}"

    def make(self, rng: Random) -> bytes:
        """See ``Target.make``."""
        steps: list[Any] = []
        for _ in range(rng.choice((2, 4, 6, 10))):
            if rng.random() < 0.08:
                steps.append(_request(rng))
                continue
            name = rng.choice(("send.click", "start.click", rng.choice(sorted(self._events))))
            steps.append({"on": name, "data": self._data(name, rng), **_about(rng)})
        if rng.random() < 0.15:
            steps = mutated_json(steps, rng)
        return json.dumps(steps).encode()

    def _data(self, name: str, rng: Random) -> list[Any]:
        honest: dict[str, Any] = {"session": "$session", "turn": "$turn", "seen": "$seen", "draft": "$draft"}
        honest |= {"answer": rng.choice(SAID), "request": f"r{rng.randrange(10)}", "notes": "A note.", "pause": "Pause"}
        data = [honest.get(self._names[number], self._values[number]) for number in self._events[name]["inputs"]]
        share = rng.choice((0.0, 0.0, 0.1, 0.3, 0.9))
        data = [rng.choice(VALUES) if rng.random() < share else value for value in data]
        if rng.random() < 0.05:
            data = data[: rng.randrange(len(data) + 1)] + [None] * rng.randrange(3)
        return data

    def check(self, data: bytes) -> str:
        """See ``Target.check``."""
        try:
            steps = json.loads(data)
        except ValueError:
            return "no steps"
        self._raised.clear()
        session = hashlib.sha256(data).hexdigest()[:32]
        self._controller.start(session, InterviewOptions(length=2, talks=False, follow_ups=1), SHELF.questions())
        try:
            outcomes = [self._step(step, session) for step in (steps if isinstance(steps, list) else [])]
            if self._journal.events(self._beside) != self._kept:
                raise FoundError("an interview whose id was never sent was changed")
            if not self._http.get("/").is_success:
                raise FoundError("the page is not served any more")
        finally:
            for summary in self._journal.sessions():
                if summary.id != self._beside:
                    self._journal.delete(summary.id)
        return "refused" if "refused" in outcomes else "answered"

    def _step(self, step: Any, session: str) -> str:
        if not isinstance(step, dict):
            return "no step"
        try:
            outcome = self._asked(step) if "path" in step else self._joined(step, session)
        except httpx.TransportError as error:
            raise FoundError(f"{step.get('path') or step.get('on')} got no answer: {type(error).__name__}") from error
        if self._raised:
            raise FoundError(f"{step.get('on')} raised {self._raised[0]}")
        return outcome

    def _asked(self, step: dict[str, Any]) -> str:
        body = step.get("body")
        try:
            with self._http.stream(str(step.get("method", "GET")), str(step["path"]), json=body) as answer:
                # What streams for ever is left alone.
                told = next(answer.iter_text(), "") if answer.is_success else answer.read().decode(errors="replace")
        except httpx.ReadTimeout:
            return "streaming"
        except (httpx.InvalidURL, httpx.LocalProtocolError, httpx.UnsupportedProtocol, ValueError, TypeError):
            return "no request"
        self._clean(f"{step['path']} ({answer.status_code})", told)
        return "refused" if answer.is_error else "answered"

    def _joined(self, step: dict[str, Any], session: str) -> str:
        event = self._events.get(str(step.get("on")))
        number = event["id"] if event else step.get("on")
        held = self._controller.find(session)
        view = render(held) if held is not None else None
        honest = {"$session": session, "$draft": session, "$turn": view.turn if view else ""}
        honest["$seen"] = view.digest if view else ""
        told = step.get("data")
        data = [honest.get(each, each) if isinstance(each, str) else each for each in told] if _listed(told) else told
        body = {"data": data, "fn_index": number, "trigger_id": step.get("trigger"), "session_hash": step.get("hash")}
        content = json.dumps(body).encode("utf-8", "replace")
        joined = self._http.post(
            "/gradio_api/queue/join", content=content, headers={"Content-Type": "application/json"}
        )
        self._clean(f"joining for {step.get('on')}", joined.text)
        if not joined.is_success:
            return "refused"
        return self._result(str(step.get("hash")), str(joined.json().get("event_id")), str(step.get("on")))

    def _result(self, hash_: str, event_id: str, name: str) -> str:
        try:
            with self._http.stream("GET", "/gradio_api/queue/data", params={"session_hash": hash_}) as stream:
                for line in stream.iter_lines():
                    if '"msg":"process_completed"' in line.replace(" ", ""):
                        message = json.loads(line.removeprefix("data: "))
                        if message["event_id"] != event_id:
                            continue
                        self._clean(name, line)
                        return "answered" if message["success"] else "refused"
        except httpx.ReadTimeout:
            raise FoundError(f"{name} was not answered within {ANSWERED_S:g} s") from None
        return "refused"

    def _clean(self, what: str, told: str) -> None:
        if "Traceback (most recent call last)" in told:
            raise FoundError(f"{what} answered with a traceback")
        if "root:x:0" in told or "SQLite format 3" in told:
            raise FoundError(f"{what} answered with a file of the machine")

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()


def _listed(told: object) -> bool:
    return isinstance(told, list)


def _about(rng: Random) -> dict[str, Any]:
    """Which browser says that it asks, and for which element."""
    hash_ = f"h{rng.randrange(3)}" if rng.random() < 0.95 else rng.choice(VALUES)
    return {"hash": hash_, "trigger": rng.choice((None, 1, 5, 10**9, -1, "x")) if rng.random() < 0.2 else None}


def _request(rng: Random) -> dict[str, Any]:
    body = rng.choice((None, {}, [], "x", {"data": []}, {"session_hash": "h0"}, {"event_id": "x", "fn_index": 0}))
    return {"path": rng.choice(PATHS), "method": rng.choice(("GET", "POST", "HEAD", "PUT", "DELETE")), "body": body}


def _recorded(function: Callable[..., Any], raised: list[str]) -> Callable[..., Any]:
    """The function, with what it raises written down before it goes on to Gradio."""

    def note(error: BaseException) -> None:
        if not isinstance(error, GeneratorExit):
            raised.append(traced(error))

    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def each(*arguments: Any, **named: Any) -> Iterator[Any]:
            try:
                yield from function(*arguments, **named)
            except BaseException as error:
                note(error)
                raise

        return each

    @functools.wraps(function)
    def once(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except BaseException as error:
            note(error)
            raise

    return once


@contextmanager
def opened() -> Iterator[Target]:
    """The target with its page, and a home of its own."""
    logging.disable(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        _home(Path(folder)),
        Journal(Path(folder) / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=30.0) as service,
        ExitStack() as stack,
    ):
        stack.callback(logging.disable, logging.NOTSET)
        nothing = IngestReport(files=(), questions=())
        blocks = build_page(service, SHELF, Warmup([]), journal, lambda _: nothing)
        stack.callback(blocks.close, verbose=False)
        target = PageEvents(blocks, PageController(service, journal), journal, launch_page(blocks, port=free_port()))
        stack.callback(target.close)
        yield target


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    import os

    before = os.environ.get(paths.HOME_VARIABLE)
    os.environ[paths.HOME_VARIABLE] = str(folder / "home")
    try:
        yield
    finally:
        if before is None:
            del os.environ[paths.HOME_VARIABLE]
        else:
            os.environ[paths.HOME_VARIABLE] = before
