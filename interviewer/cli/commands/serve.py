"""The command that serves the page."""

from __future__ import annotations

import os
import signal
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.container import (
    Container,
    assignments_of,
    interview_service,
    place_in,
    quota_of,
    take_up,
    warm_embedder,
    workspace_of,
)
from interviewer.cli.observed import observed
from interviewer.cli.options import (
    AsLogged,
    Database,
    Files,
    JudgeUrl,
    LlmUrl,
    LogFormat,
    Model,
    RunnerUrl,
    TracesUrl,
)
from interviewer.cli.output import err, follow
from interviewer.cli.quick_import import quick_import
from interviewer.storage.files.opening import open_files
from serving import paths
from serving.errors import BadInputError
from serving.heap import collect_from_now_on, collecting_later, keep_small, limit_heaps
from serving.progress import Progress
from serving.temporary import private_temporary_folder
from serving.warmup import Warmup

if TYPE_CHECKING:
    from interviewer.web.accounts import Accounts
    from interviewer.web.mentor.access import MentorAccess
    from interviewer.web.sign_in.provider import SignIn

_FIRST_S = 1.0
"""Seconds that the models wait for the page to be asked for, which a browser that is opened at once does."""


@private_temporary_folder()  # before Gradio is imported, which notes where its files go
@collecting_later()
def serve(
    host: Annotated[str, typer.Option(help="Address to serve the page on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the page.")] = 7860,
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    runner_url: RunnerUrl = None,
    database: Database = None,
    files: Files = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
    keep_recordings: Annotated[
        bool,
        typer.Option("--keep-recordings", help="Keep recordings of spoken answers unless the settings say otherwise."),
    ] = False,
    auth: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:PASSWORD",
            envvar="INTERVIEWER_AUTH",
            help="Somebody who may log in and has interviews of their own; can be repeated. Other users of this "
            "machine can see a command line, so a file or the variable is safer.",
        ),
    ] = None,
    auth_file: Annotated[
        Path | None, typer.Option(help="A file of such accounts, as `account` makes it, one per line.")
    ] = None,
    oidc_issuer: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Have people sign in at this OpenID Connect provider, in place of passwords of our own."
        ),
    ] = None,
    oidc_client: Annotated[
        str,
        typer.Option(
            metavar="ID", help="What the provider calls this page; its secret is read from INTERVIEWER_OIDC_SECRET."
        ),
    ] = "",
    oidc_name: Annotated[
        str, typer.Option(metavar="CLAIM", help="The claim with the name of an account; nobody may choose it.")
    ] = "preferred_username",
    oidc_groups: Annotated[str, typer.Option(metavar="CLAIM", help="The claim with the groups of a person.")] = "",
    oidc_mentors: Annotated[
        str, typer.Option(metavar="GROUP", help="The group whose members are mentors of their other groups.")
    ] = "",
    mentors: Annotated[
        bool,
        typer.Option(
            "--mentors",
            help="Let mentors read the interviews of the candidates of their group, who are told so before they begin.",
        ),
    ] = False,
    interviews_a_day: Annotated[
        int | None,
        typer.Option(
            min=1, help="Let everybody begin so many interviews within 24 hours; as many as they like if left out."
        ),
    ] = None,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            envvar="INTERVIEWER_ALLOWED_HOSTS",
            help="Another name under which the page is reached, such as a proxy's; can be "
            "repeated. Requests under other names are refused.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Count turns, marks, and failures for Prometheus, at this port of the same host.")
    ] = None,
    traces_url: TracesUrl = None,
    log_format: AsLogged = LogFormat.TEXT,
) -> None:
    """Serve the page; the models load in the background."""
    limit_heaps()
    with quick_import():
        from interviewer.web.allowed_hosts import allowed_hosts
        from interviewer.web.controller import PageController
        from interviewer.web.dialogs.routes import DialogRoutes
        from interviewer.web.health.routes import HealthRoutes
        from interviewer.web.page import build_page
        from interviewer.web.privacy.data_locations import DataLocations
        from interviewer.web.server import check_free, launch_page
        from interviewer.web.voice.routes import VoiceRoutes
        from interviewer.web.workspace import WorkspaceRegistry
    from interviewer.storage.registry import is_shared, open_journal

    seen = observed("page", traces_url, log_format, metrics_port, host)
    sign_in = _signing_in(oidc_issuer, oidc_client, oidc_name, oidc_groups, oidc_mentors)
    accounts, access = _who_may(auth or (), auth_file, database, sign_in, mentors=mentors)
    allowed_hosts(host, allowed_host or ())
    check_free(host, port)
    shared, journal = open_files(files), open_journal(database)
    container = Container(llm_url, model, judge_url, runner_url, linger_s=0.0)
    index = container.library()
    if llm_url or judge_url:
        container.judge_service.start()
    warmup = Warmup(
        [
            ("Embedding model", lambda tell: _warm_after_page(page.server, container, tell)),
            ("Judge model", container.judge_service.fetch),
            ("Model server", container.judge_service.start),
            # Late: only statements that may be false are searched for in it, and the first question comes without.
            ("Question index", index.catch_up),
            ("Recognizer", container.recognizer.load),
            ("Voice", container.speech.load),
            # One sound after the other, at whatever pace the machine has left.
            ("Fixed phrases", lambda _: threading.Thread(target=voice.prepare, args=(stop,), daemon=True).start()),
        ]
    )
    service = interview_service(container, journal, index)
    profiles = (
        WorkspaceRegistry(
            paths.profiles(),
            lambda home: place_in(home, container, voice.spoken, database, interviews_a_day, shared),
        )
        if accounts or sign_in
        else None
    )

    def state_of(session: str) -> Any:
        return profiles.here().controller.state(session) if profiles else service.state(session)

    def cut_short(session: str, said: str) -> Any:
        heard = profiles.here().controller.cut_short if profiles else service.drafts.heard
        return heard(session, said)

    voice = VoiceRoutes(
        *(container.recognizer, container.speech, state_of),
        keep=keep_recordings,
        home=lambda: profiles.here().home() if profiles else paths.home(),
        keeper=shared.recordings,
        cut_short=cut_short,
    )
    stop = _until_told_to_stop()
    controller = PageController(service, journal, voice.spoken, quota_of(journal, interviews_a_day))
    own = workspace_of(controller, index, paths.home(), shared)
    here = profiles.here if profiles else lambda: own
    locations = DataLocations(
        is_shared=profiles is not None,
        has_database=database is not None and is_shared(database),
        has_file_store=files is not None,
        has_judges=bool(llm_url or judge_url),
        has_runners=bool(runner_url),
    )
    page = build_page(
        service,
        index,
        warmup,
        journal,
        own.ingest,
        documents=own.documents,
        voice=voice,
        here=here,
        readers=access.readers,
        shares=files is not None,
        locations=locations,
        assignments=access.assignments,
    )
    try:
        url = launch_page(
            *(page, host, port),
            [
                *voice.routes(),
                *DialogRoutes(here, voice, locations, log_out=sign_in.log_out if sign_in else "logout").routes(),
                *access.routes(index.questions),
            ],
            accounts,
            served_as=allowed_host or (),
            open_routes=HealthRoutes(journal, warmup, container.judge_service.judges, container.runners).routes(),
            sign_in=sign_in,
        )
        collect_from_now_on()
        warmup.start()
        take_up(service, journal, shared, profiles.folders if profiles else lambda: [paths.home()])
        _tell(url, open_browser=open_browser)
        follow(warmup, stop)
        keep_small(stop, container.recognizer.let_go, container.speech.let_go)
    finally:
        page.close(verbose=False)
        warmup.stop()
        for part in (profiles, service, container, access, journal, shared, seen):
            if part is not None:
                part.close()


def _signing_in(issuer: str | None, client: str, name: str, groups: str, mentors: str) -> SignIn | None:
    """What signs people in by a provider; ``None`` without one."""
    if issuer is None:
        return None
    from interviewer.web.sign_in.people import People
    from interviewer.web.sign_in.provider import Settings, SignIn

    secret = os.environ.get("INTERVIEWER_OIDC_SECRET", "")
    return SignIn(Settings(issuer, client, secret, name, groups, mentors), People(paths.profiles()))


def _who_may(
    auth: Sequence[str], auth_file: Path | None, database: str | None, sign_in: SignIn | None, *, mentors: bool
) -> tuple[Accounts | None, MentorAccess]:
    """The accounts, and what their mentors may.

    Raises:
        BadInputError: people are to sign in, and to log in, or nobody is a mentor where mentors are to read.

    """
    from interviewer.web.accounts import read_accounts
    from interviewer.web.mentor.access import MentorAccess

    accounts = read_accounts(auth, auth_file)
    if accounts and sign_in:
        raise BadInputError("People log in or sign in.", hint="Give accounts, or --oidc-issuer.")
    if mentors and sign_in and not sign_in.knows_mentors:
        raise BadInputError("Nobody can become a mentor.", hint="Give --oidc-groups and --oidc-mentors.")
    people, store = sign_in.people if sign_in else accounts, assignments_of(paths.home(), database) if mentors else None
    return accounts, MentorAccess(people, database, on=mentors, store=store)


def _warm_after_page(server: Any, container: Container, tell: Progress) -> None:
    """Load the embedding model once whoever waits for the page has it: importing torch holds up all else meanwhile."""
    server.wait_for_answer(_FIRST_S)
    warm_embedder(container, tell)


def _tell(url: str, *, open_browser: bool) -> None:
    err.print(f"The interview is at [link]{url}[/link]. Press Ctrl-C to stop it; nothing is lost.")
    if open_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(url)


def _until_told_to_stop() -> threading.Event:
    """Set when the person presses Ctrl-C, or the system ends the program."""
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    return stop
