"""Somebody else's account, through every route of the page and every command: nothing of the first one is read.

Once with the program as it is, once with a fault put into it (no query of the journal asks whose rows they are), so
that only the database is left to keep the accounts apart, and once with that fault and a user of the database whom
row-level security does not bind: that this finds something shows that the walk could.
"""

from __future__ import annotations

import asyncio
import gc
import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from starlette.routing import Route

from interviewer.cli.main import COMMANDS, load
from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven, InterviewEnded, InterviewStarted, NotesWritten, QuestionAsked
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.account_file import IN_MEMORY, Role, made
from interviewer.storage.assignments.registry import open_assignments
from interviewer.storage.assignments.sql import SqlAssignments
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.registry import open_journal_of
from interviewer.web.accounts import Accounts
from interviewer.web.controller import PageController
from interviewer.web.dialogs.routes import DialogRoutes
from interviewer.web.health.routes import HealthRoutes
from interviewer.web.mentor.access import MentorAccess
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace, WorkspaceRegistry
from knowledge.ingestion.pipeline import IngestReport
from knowledge.model import Kind
from serving import paths
from serving.llm.vllm_server import free_port
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.http_page import HttpPage, PageError
from tests.integration.commands import in_process
from tests.interviewer.assignments.samples import GRACE, assignment
from tests.interviewer.builders import KeywordGrader, at, question
from tests.interviewer.web.holding import SHELF
from tests.interviewer.web.test_accounts import ADA, BOB, logged_in
from tests.interviewer.web.voice.test_routes import HEADERS, Hears, second_of_silence
from tests.postgres import USER, PostgresServer

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]

OVER, OPEN = "0" * 31 + "1", "0" * 31 + "2"
"""Ada's interviews: one that is over and one that is not."""

READ_BY_GRACE = ("/group", "/group/interview", "/group/assignments", "/group/assignment")
"""Routes by which Ada's own mentor reads of her."""

PATIENCE_S = 240.0

ACCOUNTS = [
    made("ada", "correct horse", Role.CANDIDATE, "autumn", cost=IN_MEMORY).line,
    made("grace", "correct horse", Role.MENTOR, "autumn", cost=IN_MEMORY).line,
    made("bob", "battery staple", Role.MENTOR, "spring", cost=IN_MEMORY).line,
    made("cy", "correct horse", Role.CANDIDATE, "spring", cost=IN_MEMORY).line,
]
"""Bob is a mentor too, of another group, in which somebody has held no interview."""

SECRET = "zyzzyva"
"""A word that only Ada said: in answers, notes, questions, and the topics that she chose."""

STORY = f"I once repaired the {SECRET} cluster. " + "I looked at every node and found the broken link myself. " * 6


ASSIGNMENT = "0" * 31 + "3"
"""What her mentor gave her alone."""


def grace_assigns(folder: Path, url: str) -> None:
    """Give Ada an assignment."""
    store = open_assignments(folder, url)
    store.give(GRACE, assignment(3, title=f"Read of {SECRET}", candidates=("ada",)))
    store.close()


def ada_speaks(url: str) -> None:
    """Hold her interviews."""
    told = question("tale", text=f"Tell me of the {SECRET}.").model_copy(update={"kind": Kind.BEHAVIORAL})
    with PostgresJournal(url, "ada") as journal:
        for session in (OVER, OPEN):
            journal.append(session, InterviewStarted(id="s", at=at(0), plan=Plan(role=SECRET, topics=(SECRET,))))
            journal.append(session, QuestionAsked(id="q1", at=at(1), number=1, question=told, said=told.spoken))
            journal.append(session, AnswerGiven(id="a1", at=at(2), asked_id="q1", text=STORY))
            journal.append(session, NotesWritten(id="n", at=at(3), text=f"Ask about {SECRET}."))
        journal.append(OVER, InterviewEnded(id="e", at=at(9), reason="completed"))


class Walk:
    """What somebody was told, and how much of it is Ada's.

    Attributes:
        asked: how many requests and commands there were.
        read: those whose reply had something of hers.

    """

    def __init__(self) -> None:
        self.asked = 0
        self.read: list[str] = []

    def note(self, what: str, told: object) -> None:
        """Look for her word in a reply."""
        self.asked += 1
        if SECRET in str(told):
            self.read.append(what)


@contextmanager
def page_of(folder: Path, url: str) -> Iterator[tuple[str, Sequence[Route]]]:
    """The page with accounts on the database; its address, and the routes beside Gradio's own."""

    def place(home: Path) -> Workspace:
        journal = open_journal_of(home, url)
        service = InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0)
        service.resume_all()

        def close() -> None:
            service.close()
            journal.close()

        nothing = IngestReport(files=(), questions=())
        controller = PageController(service, journal)
        return Workspace(controller, SHELF, lambda _: nothing, home=lambda: home, close=close)  # type: ignore[arg-type]

    profiles = WorkspaceRegistry(folder / "profiles", place)

    def state_of(session: str) -> State:
        return profiles.here().controller.state(session)

    voice = VoiceRoutes(
        Hears(), SpeechCache(folder / "speech"), state_of, keep=True, home=lambda: profiles.here().home()
    )
    accounts = Accounts(ACCOUNTS)
    access = MentorAccess(accounts, url, on=True, store=open_assignments(folder, url))
    routes = [*voice.routes(), *DialogRoutes(profiles.here, voice).routes(), *access.routes(SHELF.questions)]
    with (
        PostgresJournal(url) as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as nobody,
    ):
        health = HealthRoutes(journal, Warmup([])).routes()
        page = build_page(
            nobody,
            SHELF,
            Warmup([]),
            journal,
            lambda files: [],
            voice=voice,
            here=profiles.here,
            readers=access.readers,
            assignments=access.assignments,
        )  # type: ignore[arg-type]
        try:
            yield (
                launch_page(page, port=free_port(), routes=routes, accounts=accounts, open_routes=health),
                [*routes, *health],
            )
        finally:
            page.close(verbose=False)
            profiles.close()
            access.close()
            gc.collect()


async def through_routes(
    http: httpx.AsyncClient, routes: Sequence[Route], session: str, walk: Walk, candidate: str = "ada"
) -> None:
    """Ask every route beside Gradio's own for an interview, in whatever way each is told of one."""
    names = {"session": session, "turn": "q1", "heard": "", "recording": "r", "id": ASSIGNMENT, "candidate": candidate}
    bodies: dict[str, dict[str, Any]] = {
        "/settings/change": {"speed": 1.0},
        "/settings/delete": {"what": "interviews"},
        "/stories/tell": {"question": "tale", "text": STORY.replace(SECRET, "old"), "request": session},
        "/stories/remove": {"story": f"{session}:q1"},
        "/group/override": {
            **{"candidate": candidate, "session": session, "point": "1:c", "verdict": "met"},
            **{"reason": "Mine.", "request": session},
        },
        "/group/agenda": {"role": "", "topics": "", "level": "mid", "minutes": "30", "talks": False},
        "/group/give": {
            **{"title": "Theirs", "group": "autumn", "agenda": "autograd, any, 5", "due": "2030-01-01T09:00"},
            **{"zone": "UTC", "level": "mid", "style": "neutral", "mode": "practice", "note": "", "tries": ""},
            "request": ASSIGNMENT,
        },
        "/group/change": {"id": ASSIGNMENT, "what": "withdraw", "due": "", "zone": ""},
    }
    posted = {route.path for route in routes if "POST" in (route.methods or ())}
    assert posted == bodies.keys() | {"/voice/hear"}
    for route in routes:
        path = route.path.replace("{name}", session)
        if route.path == "/voice/hear":
            reply = await http.post(path, params=names, content=second_of_silence(), headers=HEADERS)
        elif route.path in bodies:
            reply = await http.post(path, params=names, json=bodies[route.path], headers={"X-Interviewer": "settings"})
        else:
            reply = await http.get(path, params=names)
        walk.note(f"{path} {reply.status_code}", reply.text)


async def through_events(http: httpx.AsyncClient, session: str, walk: Walk) -> None:
    """Open the page at an interview, then send every event that it has, as though the interview were open in it."""
    page = HttpPage(http)
    await page.open(session)
    walk.note("the page", page.everything())
    for event in page._events:
        page.put("session", session)
        page.put("turn", "q1")
        try:
            await page._send(event, event["targets"][0][0], [session] if event["targets"][0][1] == "load" else None)
        except PageError:
            # An event that needs a file or a choice that nobody made.
            walk.asked += 1
            continue
        walk.note(f"event {event['id']} {event['targets'][0]}", page.everything())
    walk.note("/config", (await http.get("/config")).text)


def commands(folder: Path) -> dict[tuple[str, ...], list[list[object]]]:
    """The command lines that reach a journal, by command; each is given the database."""
    nowhere = ["--judge-url", "http://127.0.0.1:1"]
    empty = folder / "empty.zip"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"format": 1}))
    forms = ("html", "json", "md")
    lines = folder / "agenda.txt"
    lines.write_text("autograd, any, 5\n")
    (accounts := folder / "accounts").write_text("\n".join(ACCOUNTS))
    accounts.chmod(0o600)
    file = ["--auth-file", accounts]
    return {
        ("serve",): [["--port", "99999"]],  # the page itself is walked through by its routes
        ("interview",): [["--resume", OPEN, *nowhere], ["--assignment", ASSIGNMENT, *file, *nowhere]],
        ("regrade",): [[OVER, *nowhere], ["--all", *nowhere], ["--all", "--queue"], ["--all", "--queue", "--json"]],
        ("worker",): [[*nowhere]],
        ("report",): [[OVER, "--format", form] for form in forms] + [[OPEN, "--view", "interviewer"]],
        ("export-study",): [[OVER, "--anki", folder / "a.apkg", "--calendar", folder / "a.ics"]],
        ("override",): [[OVER, "1", "c", "met", "--by", "Bob"]],
        ("dispute",): [[OVER, "1", "c", *nowhere]],
        ("compare",): [[OVER, OPEN, "--format", form] for form in forms],
        ("sessions",): [[], ["--json"], ["--assessments"]],
        ("loop", "start"): [["--through", "1", *nowhere]],
        ("loop", "next"): [[OVER, *nowhere]],
        ("loop", "show"): [[], [OVER]],
        ("loop", "debrief"): [[], [OVER]],
        ("stories",): [[], ["--json"], [f"{OVER}:q1"]],
        ("assign",): [["Theirs", "--due", "2030-01-01 09:00", "--group", "autumn", *file, "--agenda", lines]],
        ("assignments",): [[*file], ["--json", *file], [ASSIGNMENT, *file], [ASSIGNMENT, "--withdraw", *file]],
        ("data", "import"): [[empty]],
        ("data", "export"): [[folder / "all.zip"]],
        ("data", "delete"): [[OVER], [OPEN, "--recordings"], ["--background"], ["--all"]],
    }


def that_reach_a_journal() -> set[tuple[str, ...]]:
    """The commands that are told of a database."""
    found = set()
    for name in COMMANDS:
        command = load(name)
        below = getattr(command, "commands", None)
        for path, each in {(name, part): one for part, one in below.items()}.items() if below else [((name,), command)]:
            if any(one.name == "database" for one in each.params):
                found.add(path)
    return found


def through_commands(url: str, folder: Path, walk: Walk) -> None:
    """Run every command as Bob."""
    lines = commands(folder)
    assert lines.keys() == that_reach_a_journal()
    for path, given in lines.items():
        for arguments in given:
            status, out, err = in_process(*path, *arguments, "--database", url)
            walk.note(f"{path} {arguments} {status}", out + err)
    for file in sorted(folder.iterdir()):
        if file.suffix == ".zip":
            with zipfile.ZipFile(file) as archive:
                walk.note(file.name, [archive.read(name) for name in archive.namelist()])
        elif file.is_file():
            walk.note(file.name, file.read_bytes())


@pytest.mark.by_number("interviewer/web", "interviewer/storage", "interviewer/cli")
@pytest.mark.parametrize(
    ("forgetful", "bound", "finds"),
    [(False, True, False), (True, True, False), (True, False, True)],
    ids=["as it is", "only by the database", "by nothing"],
)
def test_another_account_reads_nothing_by_any_route_or_command(
    tmp_path: Path,
    postgres: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
    forgetful: bool,
    bound: bool,
    finds: bool,
) -> None:
    url = postgres.database()
    name = url.rpartition("/")[2]
    ada_speaks(url)
    grace_assigns(tmp_path, url)
    if forgetful:
        monkeypatch.setattr(PostgresJournal, "_mine", lambda *_: sa.true())
        monkeypatch.setattr(SqlAssignments, "_of", lambda *_: sa.true())
        monkeypatch.setattr(SqlAssignments, "_may_see", lambda *_: True)
    used = url if bound else postgres.url(name, user=USER)
    (folder := tmp_path / "written").mkdir()
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    count = "SELECT count(*), count(*) FILTER (WHERE owner = 'ada') FROM events"
    before = postgres.sql(count, name)
    walk, hers, theirs = Walk(), Walk(), Walk()

    async def hold(page: str, routes: Sequence[Route]) -> None:
        async with logged_in(page, BOB) as bob:
            bob.timeout = httpx.Timeout(PATIENCE_S)
            for session in (OVER, OPEN):
                opened = HttpPage(bob)
                await opened.open(session)
                walk.note(f"the page of {session}", opened.everything())
            if bound:
                await through_events(bob, OPEN, walk)
            # Last, since one of them deletes whatever the database lets it.
            for session in (OVER, OPEN):
                for candidate in ("ada", "cy"):
                    await through_routes(bob, routes, session, walk, candidate)
        if bound:
            async with logged_in(page, ADA) as ada:
                ada.timeout = httpx.Timeout(PATIENCE_S)
                await through_events(ada, OPEN, hers)
            # Her own mentor reads by the very routes by which Bob did not.
            async with logged_in(page, "grace:correct horse") as grace:
                for path in READ_BY_GRACE:
                    named = {"candidate": "ada", "session": OVER, "id": ASSIGNMENT}
                    reply = await grace.get(path, params=named)
                    theirs.note(path, reply.text)

    with page_of(tmp_path / "home", used) as (page, routes):
        asyncio.run(hold(page, routes))
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home" / paths.PROFILES / "bob"))
    if finds:
        assert walk.read
        return
    through_commands(used, folder, walk)
    print(f"{walk.asked} requests, events, and commands")
    assert walk.asked > 80
    assert walk.read == []
    # She reads it, and nothing of hers is gone: whatever came since is what her own page added.
    assert hers.read
    assert theirs.read == list(READ_BY_GRACE)
    stored = "SELECT group_name, content::json ->> 'status' FROM assignments"
    assert postgres.sql(stored, name) == [("autumn", "open")]
    assert before == [(9, 9)]
    ((_, left),) = postgres.sql(count, name)
    assert int(str(left)) >= 9
    with PostgresJournal(url, "ada") as journal:
        assert SECRET in str(journal.events(OVER))
        assert SECRET in str(journal.events(OPEN))
