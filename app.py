"""The only entry: ``python app.py COMMAND``. Parses, wires the parts together, hands over.

Exit status 0 success, 2 bad input, 3 a needed service is not there. With ``--json`` one JSON document goes to
stdout; everything else goes to stderr.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from rich.logging import RichHandler
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from serving import paths
from serving.errors import BadInputError, InterviewerError, StorageError
from serving.leaving import Leaving
from serving.progress import Progress

if TYPE_CHECKING:
    from interviewer.conductor import Conductor
    from interviewer.journal import Journal
    from interviewer.listening import Heard
    from interviewer.phraser import Phraser
    from interviewer.web.place import Place
    from knowledge.model import Question
    from rubric.code import Verifier
    from rubric.execution import CodeResult
    from rubric.grader import Grader
    from serving.sandbox.pool import WorkerPool
    from serving.speech.recognition import Recogniser
    from serving.speech.speaker import Speaker
    from serving.warmup import Warmup

cli = typer.Typer(
    help="A mock interviewer for PyTorch and deep-learning jobs, on your own machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
err = Console(stderr=True)

LINGER_S = 600.0
"""Seconds that a model server started by a single command waits for the next command."""

PATIENCE_S = 8.0
"""Seconds that the page waits for a mark before the interview goes on without it."""

REGRADE_PATIENCE_S = 60.0
"""Seconds that an answer is tried again for while the model's server is away."""

LlmUrl = Annotated[str | None, typer.Option(help="Use the OpenAI-compatible model server at this URL.")]
Model = Annotated[str | None, typer.Option(help="Which of that server's models.")]
Session = Annotated[str, typer.Argument(help="Id of an interview, as `sessions` lists it.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


@contextmanager
def shown(description: str) -> Iterator[Progress]:
    """A progress bar on stderr; tell it what is being done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=err, transient=True) as bar:
        task = bar.add_task(description, total=None)

        def tell(detail: str, share: float | None = None) -> None:
            bar.update(task, description=f"{description}: {detail}", total=None if share is None else 1.0)
            if share is not None:
                bar.update(task, completed=share)

        yield tell


def follow(warmup: Warmup, stop: threading.Event) -> None:
    """Show the start-up's steps on stderr until they are done, one fails, or ``stop`` is set."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=err, transient=True) as bar:
        tasks = [bar.add_task(step.name, total=1.0, start=False) for step in warmup.steps()]
        while not stop.wait(0.2):
            steps = warmup.steps()
            for task, step in zip(tasks, steps, strict=True):
                if step.state != "waiting":
                    bar.start_task(task)
                bar.update(task, description=f"{step.name}  {step.detail}", completed=step.progress or 0.0)
                if step.state in {"done", "failed"}:
                    bar.stop_task(task)
            if any(step.state == "failed" for step in steps) or all(step.state == "done" for step in steps):
                break
    for step in warmup.steps():
        if step.state == "failed":
            err.print(f"{step.name}: {step.message}", style="red", markup=False, highlight=False)


def warm_embedder(parts: Parts, tell: Progress) -> None:
    """Fetch the embedding model, and load it so that the first grade need not."""
    from serving import models

    models.ensure_embedder(tell)
    parts.embedder.embed(["ready"])
    parts.statement_encoder.embed(["ready"])
    parts.cross_encoder.read([("ready", "ready")])


class Parts:
    """The rooms, wired together; each is made when it is first needed.

    Args:
        llm_url: a model server that runs already.
        model: which of its models.
        linger_s: how long a model server started here outlives this process.
    """

    def __init__(self, llm_url: str | None = None, model: str | None = None, *, linger_s: float = LINGER_S) -> None:
        from rubric.contrast import ADAPTER
        from rubric.relate import CROSS_ENCODER
        from serving import hardware, models
        from serving.cached_embedder import CachedEmbedder
        from serving.cross_encoder import FittedCrossEncoder
        from serving.embedder import SentenceTransformerEmbedder
        from serving.judge_service import JudgeService

        self.machine = hardware.inspect(paths.home())
        profile = hardware.choose(self.machine, llm_url)
        self.judge_service = JudgeService(self.machine, profile, llm_url=llm_url, model=model, linger_s=linger_s)
        self.embedder = CachedEmbedder(SentenceTransformerEmbedder(models.embedder_folder()))
        self.statement_encoder = CachedEmbedder(SentenceTransformerEmbedder(models.embedder_folder(), ADAPTER))
        self.cross_encoder = FittedCrossEncoder(models.embedder_folder(), CROSS_ENCODER)

    @cached_property
    def grader(self) -> Grader:
        """Grades with the judge of the profile; asks its server when it grades, not before."""
        from rubric.calibration import find
        from rubric.grader import RubricGrader
        from rubric.head import load
        from rubric.judge import PromptJudge, StateJudge
        from serving import models

        service = self.judge_service
        if service.profile.device == "remote":
            model = service.served_model
            measured = find(model, paths.judges())
            calibration = measured.calibration if measured else None
            prompted = PromptJudge(service.client, model=model, calibration=calibration)
            return RubricGrader(prompted, self.statement_encoder, self.cross_encoder)
        judge = StateJudge(service.client, load(), model=models.EMBEDDED.name, digest=models.EMBEDDED.sha256)
        return RubricGrader(judge, self.statement_encoder, self.cross_encoder)

    @cached_property
    def phraser(self) -> Phraser | None:
        """Has follow-ups worded where a model that can speak was named."""
        from interviewer.phraser import Phraser

        service = self.judge_service
        return Phraser(service.speaker, lambda: service.served_model) if service.speaker is not None else None

    @cached_property
    def sandbox(self) -> WorkerPool:
        """Workers that execute code; none is started before it is needed."""
        from serving.sandbox.pool import WorkerPool

        return WorkerPool(gpu=bool(self.machine.gpus))

    @cached_property
    def verifier(self) -> Verifier:
        """Verifies submitted code, on the GPU too where there is one."""
        from rubric.code import Verifier

        return Verifier(self.sandbox, ("cpu", "cuda") if self.machine.gpus else ("cpu",))

    @cached_property
    def recogniser(self) -> Recogniser:
        """Hears; its model is loaded when it is first needed."""
        from serving.speech.recognition import Recogniser

        return Recogniser(gpu=bool(self.machine.gpus))

    @cached_property
    def speaker(self) -> Speaker:
        """Speaks, with the best voice there is at the time."""
        from serving.speech.speaker import Speaker

        return Speaker()

    def hear(self, recording: Path, question: Question | None = None) -> Heard:
        """Recognise the recording of an answer."""
        from interviewer.listening import hear
        from serving.speech import audio

        with shown(recording.name) as tell:
            return hear(self.recogniser, audio.read(recording), question, tell)

    def library(self, folder: Path | None = None) -> Any:
        """The question index in a folder with the bank in it; its vectors are made when they are first needed."""
        from knowledge.index import QuestionIndex
        from knowledge.ingest import sync_bank

        index = QuestionIndex.open(folder or paths.index(), self.embedder)
        sync_bank(index)
        return index

    def embedding_model(self) -> None:
        """Make sure that the embedding model is there, here and now."""
        from serving import models

        with shown("Embedding model") as tell:
            models.ensure_embedder(tell)

    def judge(self) -> None:
        """Bring the judge up, here and now."""
        with shown("Judge") as tell:
            self.judge_service.fetch(tell)
        with shown("Model server") as tell:
            self.judge_service.start(tell)

    def close(self) -> None:
        """Stop what was started."""
        self.judge_service.close()
        if "verifier" in self.__dict__:
            self.verifier.close()
        if "sandbox" in self.__dict__:
            self.sandbox.close()


def conductor_of(parts: Parts, journal: Journal, library: Any) -> Conductor:
    """What moves the page's interviews on."""
    from interviewer.conductor import Conductor
    from rubric.second import SecondReader

    return Conductor(
        journal,
        library,
        parts.grader,
        patience_s=PATIENCE_S,
        verifier=parts.verifier,
        second_reader=SecondReader(parts.grader, parts.statement_encoder),
        phraser=parts.phraser,
    )


def place_in(home: Path, parts: Parts, spoken: Any) -> Place:
    """The place of one person on a shared machine: their journal and their library, in a folder of their own."""
    from interviewer.journal import Journal
    from interviewer.recordings import bring_home
    from interviewer.web.desk import Desk
    from interviewer.web.place import Place
    from knowledge.ingest import ingest as read

    journal, index = Journal(home / "journal.db"), parts.library(home / "index")
    conductor = conductor_of(parts, journal, index)
    conductor.resume_all()
    try:
        bring_home(home, lambda: [one.id for one in journal.sessions()])
    except InterviewerError as error:
        logging.getLogger(__name__).warning("%s", error)

    def catch_up() -> None:
        try:
            index.catch_up()
        except InterviewerError as error:
            # The next search that finds the model tries again.
            logging.getLogger(__name__).warning("%s", error)

    threading.Thread(target=catch_up, name="index", daemon=True).start()

    def close() -> None:
        conductor.close()
        journal.close()

    desk = Desk(conductor, journal, spoken)
    return Place(desk, index, lambda files: read(files, index), home=lambda: home, close=close)


@cli.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to serve the page on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the page.")] = 7860,
    llm_url: LlmUrl = None,
    model: Model = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
    keep_recordings: Annotated[
        bool, typer.Option("--keep-recordings", help="Keep the sound of spoken answers, beside the journal.")
    ] = False,
    auth: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:PASSWORD",
            envvar="INTERVIEWER_AUTH",
            help="Somebody who may log in and has interviews of their own; may be given again. Others on the machine "
            "see what a command was started with: better name a file, or set the variable.",
        ),
    ] = None,
    auth_file: Annotated[Path | None, typer.Option(help="A file of such accounts, one NAME:PASSWORD a line.")] = None,
) -> None:
    """Serve the page; the models come up behind it."""
    from interviewer.journal import Journal
    from interviewer.web.accounts import read_accounts
    from interviewer.web.launch import check_free, launch_page
    from interviewer.web.page import build_page
    from interviewer.web.place import Profiles
    from interviewer.web.voice_room import VoiceRoom
    from knowledge.ingest import ingest as read
    from serving.warmup import Warmup

    accounts = read_accounts(auth or (), auth_file)
    check_free(host, port)
    parts = Parts(llm_url, model, linger_s=0.0)
    index = parts.library()
    if llm_url:
        parts.judge_service.start()
    warmup = Warmup(
        [
            ("Embedding model", lambda tell: warm_embedder(parts, tell)),
            ("Judge model", parts.judge_service.fetch),
            ("Model server", parts.judge_service.start),
            # Last: marks need none of it, and the first question comes without.
            ("Question index", index.catch_up),
            ("Recogniser", parts.recogniser.load),
            ("Voice", parts.speaker.load),
            # One sound after the other, at whatever pace the machine has left.
            ("Fixed phrases", lambda _: threading.Thread(target=voice.prepare, args=(stop,), daemon=True).start()),
        ]
    )
    journal = Journal(paths.journal())
    conductor = conductor_of(parts, journal, index)
    profiles = Profiles(paths.profiles(), lambda home: place_in(home, parts, voice.spoken)) if accounts else None

    def state_of(session: str) -> Any:
        return profiles.here().desk.state(session) if profiles else conductor.state(session)

    def home_of_whoever_asks() -> Path:
        return profiles.here().home() if profiles else paths.home()

    voice = VoiceRoom(parts.recogniser, parts.speaker, state_of, keep=keep_recordings, home=home_of_whoever_asks)
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    page = build_page(
        conductor,
        index,
        warmup,
        journal,
        lambda files: read(files, index),
        voice=voice,
        here=profiles.here if profiles else None,
    )
    try:
        url = launch_page(page, host, port, voice.routes(), accounts)
        warmup.start()
        conductor.resume_all()
        err.print(f"The interview is at [link]{url}[/link]. Ctrl-C ends it; nothing is lost.")
        if open_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(url)
        follow(warmup, stop)
        stop.wait()
    finally:
        page.close(verbose=False)
        warmup.stop()
        if profiles:
            profiles.close()
        conductor.close()
        parts.close()
        journal.close()


@cli.command()
def interview(
    recordings: Annotated[list[Path] | None, typer.Argument(metavar="[WAV...]", hidden=True)] = None,
    answers: Annotated[Path | None, typer.Option(help="Prepared answers, one JSON object a line.")] = None,
    voice_in: Annotated[
        list[Path] | None, typer.Option(metavar="WAV...", help="Recordings; each answers one turn.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Where to write the report, as JSON.")] = None,
    topic: Annotated[list[str] | None, typer.Option(help="A topic to ask about; may be given again.")] = None,
    level: Annotated[Literal["junior", "mid", "senior", "staff"], typer.Option(help="Level to aim at.")] = "mid",
    length: Annotated[int, typer.Option(help="Number of questions.", min=1, max=50)] = 5,
    minutes: Annotated[int | None, typer.Option(help="Length by the clock, instead.", min=5, max=180)] = None,
    role: Annotated[str, typer.Option(help="A job, such as 'ML engineer': sets what is asked about.")] = "",
    exam: Annotated[bool, typer.Option("--exam", help="No hints, and no marks before the end.")] = False,
    follow_ups: Annotated[int, typer.Option(help="Most follow-ups a question gets.", min=0, max=5)] = 1,
    talks: Annotated[bool, typer.Option("--talks", help="With a warm-up and time for your own questions.")] = False,
    style: Annotated[
        Literal["friendly", "neutral", "demanding"], typer.Option(help="How you are spoken to.")
    ] = "neutral",
    drill: Annotated[bool, typer.Option("--drill", help="Follow-ups until every point is met or told.")] = False,
    question: Annotated[list[str] | None, typer.Option(help="Id of a question to ask; may be given again.")] = None,
    seed: Annotated[int, typer.Option(help="Makes the choice of questions repeatable.")] = 0,
    resume: Annotated[str | None, typer.Option(help="Id of an interview to go on with.")] = None,
    llm_url: LlmUrl = None,
    model: Model = None,
) -> None:
    """Hold an interview in the terminal, or one with prepared answers and nobody present."""
    from interviewer.agenda import Wish, plan_of
    from interviewer.conductor import Conductor
    from interviewer.events import Mode, Style
    from interviewer.journal import Journal
    from interviewer.scripted import read_answers, recorded, run_script
    from interviewer.terminal import TerminalInterview, read_lines
    from knowledge.model import Level
    from serving.warmup import Warmup

    if recordings and not voice_in:
        raise BadInputError(f"Nothing says what {recordings[0]} is for.", hint="Recordings stand behind --voice-in.")
    if voice_in and answers:
        raise BadInputError("Prepared answers are either written or recorded.", hint="Give --answers or --voice-in.")
    voice = recorded([*(voice_in or ()), *(recordings or ())]) if voice_in else None
    parts = Parts(llm_url, model)
    index = parts.library()
    known = {question.id for question in index.questions()}
    script = read_answers(answers, known.__contains__) if answers else voice
    wish = Wish(
        role=role,
        topics=tuple(topic or ()),
        level=Level(level),
        minutes=minutes,
        length=length,
        mode=Mode.EXAM if exam else Mode.PRACTICE,
        follow_ups=follow_ups,
        depth=script is None,
        drill=drill,
        style=Style(style),
        talks=talks,
    )
    plan = plan_of(wish, index.questions(), seed=seed, editor=False)
    if question:
        plan = plan.model_copy(update={"question_ids": tuple(question), "agenda": ()})
    try:
        parts.embedding_model()
        if script is not None:
            parts.judge()
        else:
            if llm_url:
                parts.judge_service.start()
            Warmup([("Judge", parts.judge_service.fetch), ("Server", parts.judge_service.start)]).start()
        patience = None if script is not None else PATIENCE_S
        # With nobody there to hear them, the bank's own words keep one run like the next.
        phraser = parts.phraser if script is None else None
        with (
            Journal(paths.journal()) as journal,
            Conductor(journal, index, parts.grader, patience_s=patience, phraser=phraser) as conductor,
        ):
            if script is not None:
                done = run_script(conductor, plan, script, resume, parts.hear)
            else:
                done = TerminalInterview(conductor, Console(), read_lines()).hold(plan, resume)
            if report is not None:
                write(report, rendered(journal, done, "json"))
            err.print(f"Interview {done}", highlight=False)
    finally:
        parts.close()


@cli.command()
def ingest(
    sources: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Documents or folders of them.")],
    explain: Annotated[bool, typer.Option("--explain", help="Tell what asks the same, and what is wrong.")] = False,
    against_bank: Annotated[
        bool, typer.Option("--against-bank", help="Have the judge compare references with the bank; slow.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read documents into the index and print the questions they hold."""
    from knowledge.contradictions import hold_against_bank
    from knowledge.ingest import Outcome
    from knowledge.ingest import ingest as read

    parts = Parts()
    parts.embedding_model()
    try:
        with shown("Documents") as tell:
            index = parts.library()
            done = read(sources, index, tell)
            if explain or against_bank:
                index.catch_up(tell)
            if against_bank:
                parts.judge()
                done = hold_against_bank(done, index, parts.grader, tell)
    except KeyboardInterrupt:
        err.print("Stopped. The questions are as they were before.")
        raise typer.Exit(130) from None
    finally:
        parts.close()
    if explain:
        show_explanation(done.questions, index, as_json=as_json)
    elif as_json:
        print_json([question_row(question) for question in done.questions])
    else:
        for question in done.questions:
            say(f"{question.id}  {' '.join(question.text.split())}")
    for file in done.files:
        if file.outcome is not Outcome.FAILED:
            err.print(file.said, markup=False, highlight=False, soft_wrap=True)
    for sentence in done.unmade:
        err.print(f"Not everything was checked: {sentence}", markup=False, highlight=False, soft_wrap=True)
    err.print(f"{len(done.questions)} {'question' if len(done.questions) == 1 else 'questions'}.")
    if done.failed:
        raise BadInputError("\n".join(file.said for file in done.failed))


@cli.command()
def search(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int, typer.Option("-k", help="How many questions.", min=1, max=1000)] = 5,
    topic: Annotated[list[str] | None, typer.Option(help="Only this topic; may be given again.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; may be given again.")] = None,
    level: Annotated[list[str] | None, typer.Option(help="Only this level; may be given again.")] = None,
    document: Annotated[list[str] | None, typer.Option(help="Only this document; may be given again.")] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Id of a question to leave out; may be given again.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find questions in the index, best first."""
    from knowledge.model import Kind, Level

    if not text.strip():
        raise BadInputError("There is nothing to search for.", hint="Give a few words.")
    kinds = [chosen(Kind, name) for name in kind or ()]
    levels = [chosen(Level, name) for name in level or ()]
    parts = Parts()
    index = parts.library()
    sources = [known_source(index.sources(), name) for name in document or ()]
    parts.embedding_model()
    with shown("Searching"):
        hits = index.search(
            text, k, topics=topic or (), kinds=kinds, levels=levels, sources=sources, exclude=exclude or ()
        )
        rows = [hit_row(hit, index.references(hit.question.id)) for hit in hits]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        say(f"{row['score']:.3f}  {row['id']}  {' '.join(row['question'].split())}")
        for place in row["places"]:
            say(f"       {place}")


@cli.command()
def grade(
    source: Annotated[Path, typer.Option("--input", help="Answers, one JSON object a line.")],
    target: Annotated[Path, typer.Option("--output", help="Where to write the grades.")],
    llm_url: LlmUrl = None,
    model: Model = None,
) -> None:
    """Grade a file of answers; run again after an interruption it goes on where it stopped."""
    from rubric.batch import grade_file, read_jobs

    jobs = read_jobs(source)
    need_folder(target)
    parts = Parts(llm_url, model)
    try:
        parts.embedding_model()
        parts.judge()
        columns = (TextColumn("Grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, console=err) as bar:
            task = bar.add_task("")
            grade_file(jobs, target, parts.grader, lambda done, all_: bar.update(task, completed=done, total=all_))
        err.print(f"{len(jobs)} answers graded into {target}.")
    finally:
        parts.close()


@cli.command()
def regrade(
    session: Annotated[str, typer.Argument(help="Id of an interview, as `sessions` lists it.")],
    llm_url: LlmUrl = None,
    model: Model = None,
    as_json: AsJson = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to; stdout when left out.")] = None,
) -> None:
    """Grade an interview again with the judge of now and show the difference; its journal stays as it is."""
    from interviewer.grading import grade_patiently
    from interviewer.journal import Journal
    from interviewer.regrade import compare, due, lines

    with Journal(paths.journal()) as journal:
        events = known_events(journal, session)
    work = due(events)
    if output is not None:
        need_folder(output)
    grades = {}
    parts = Parts(llm_url, model)
    try:
        if work:
            parts.embedding_model()
            parts.judge()
        columns = (TextColumn("Grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, console=err, transient=True) as bar:
            for each in bar.track(work):
                grades[each.answer_id] = grade_patiently(parts.grader, each.request, REGRADE_PATIENCE_S)
    finally:
        parts.close()
    done = compare(events, grades)
    text = done.model_dump_json(indent=2) if as_json else "\n".join(lines(done))
    give(text + "\n", output)


@cli.command()
def report(
    session: Session,
    form: Annotated[Literal["html", "pdf", "json", "md"], typer.Option("--format", help="What to write.")] = "html",
    view: Annotated[
        Literal["person", "interviewer"], typer.Option(help="For whom: an interviewer gets no coaching.")
    ] = "person",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to; stdout when left out.")] = None,
) -> None:
    """Write the report of an interview."""
    from interviewer.journal import Journal

    if form == "pdf" and output is None and sys.stdout.isatty():
        raise BadInputError("A PDF is not for the terminal.", hint="Name a file: -o report.pdf")
    with Journal(paths.journal()) as journal:
        text = rendered(journal, session, form, view)
    give(text, output)


@cli.command("export-study")
def export_study(
    session: Session,
    anki: Annotated[Path | None, typer.Option(help="Where to write the cards, an .apkg file for Anki.")] = None,
    calendar: Annotated[Path | None, typer.Option(help="Where to write the review days, an .ics file.")] = None,
) -> None:
    """Write what to study after an interview as Anki cards and as dates for a calendar."""
    from interviewer.journal import Journal
    from interviewer.report.cards import anki_deck
    from interviewer.report.review_calendar import review_calendar

    if anki is None and calendar is None:
        raise BadInputError("Nothing was to be written.", hint="Name a file with --anki or --calendar.")
    with Journal(paths.journal()) as journal:
        found = found_in(journal, session)
    for path, made in ((anki, anki_deck), (calendar, review_calendar)):
        if path is not None:
            write(path, made(found))
    err.print(f"{len(found.study)} {'point' if len(found.study) == 1 else 'points'} to study.")


@cli.command()
def override(
    session: Session,
    asked: Annotated[str, typer.Argument(help="The question: its number, or the id of its asking.")],
    criterion: Annotated[str, typer.Argument(help="The point: its number, or its id.")],
    verdict: Annotated[
        Literal["met", "partial", "missing", "contradicted"], typer.Argument(help="What it is instead.")
    ],
    by: Annotated[str, typer.Option("--by", help="Who overrides it; the report names them.")],
    note: Annotated[str, typer.Option(help="Why; the report shows it.")] = "",
) -> None:
    """Put a verdict in the place of the judge's, as a mentor or teacher; the judge's own is kept beside it."""
    from datetime import UTC, datetime, timedelta

    from interviewer.journal import Journal, new_session_id
    from interviewer.overrides import override as overriding
    from interviewer.session import fold

    with Journal(paths.journal()) as journal:
        state = fold(known_events(journal, session))
        last = journal.last_at(session)
        now = max(datetime.now(UTC), last + timedelta(microseconds=1)) if last else datetime.now(UTC)
        event = overriding(state, asked, criterion, verdict, by=by, note=note, event_id=new_session_id(), at=now)
        journal.append(session, event)
    err.print("Overridden; the report counts it and says so.")


@cli.command()
def dispute(
    session: Session,
    asked: Annotated[str, typer.Argument(help="The question: its number, or the id of its asking.")],
    criterion: Annotated[str, typer.Argument(help="The point: its number, or its id.")],
    reason: Annotated[str, typer.Option(help="Why; the report shows it, and no judge reads it.")] = "",
    llm_url: LlmUrl = None,
    model: Model = None,
) -> None:
    """Dispute a mark of your own: the judge reads the point a second time, and both readings are shown."""
    from interviewer.conductor import Conductor
    from interviewer.disputes import check_dispute
    from interviewer.journal import Journal, new_session_id
    from interviewer.overrides import marked
    from interviewer.report.contested_words import both_readings
    from interviewer.report.questions import question_finding
    from interviewer.session import asked_by_id, fold
    from rubric.second import SecondReader

    with Journal(paths.journal()) as journal:
        state = fold(known_events(journal, session))
        question, point = marked(state, asked, criterion)
        # Disputed before: the same command makes the second reading that could not be made then, and shows both.
        new = all(held.criterion_id != point for held in question.disputes)
        if new:
            check_dispute(state, question.asked_id, point, reason)
        parts = Parts(llm_url, model)
        try:
            parts.embedding_model()
            parts.judge()
            reader = SecondReader(parts.grader, parts.statement_encoder)
            with Conductor(journal, parts.library(), parts.grader, patience_s=None, second_reader=reader) as conductor:
                if new:
                    state = conductor.dispute(session, question.asked_id, point, reason, new_session_id())
                else:
                    state = conductor.read_disputed(session)
        finally:
            parts.close()
    found = question_finding(asked_by_id(state, question.asked_id))
    for line in both_readings(next(each for each in found.criteria if each.id == point)):
        say(line)


@cli.command()
def compare(
    sessions: Annotated[list[str], typer.Argument(metavar="SESSION...", help="Ids of two or more interviews.")],
    form: Annotated[Literal["html", "json", "md"], typer.Option("--format", help="What to write.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to; stdout when left out.")] = None,
) -> None:
    """Compare interviews by topic and by repeated question, and tell which changes are larger than the doubt."""
    from interviewer.journal import Journal
    from interviewer.report.comparison import compare as side_by_side
    from interviewer.report.several import render_comparison

    if len(set(sessions)) < 2:
        raise BadInputError("One interview cannot be compared.", hint="Name two or more; `sessions` lists them.")
    with Journal(paths.journal()) as journal:
        reports = [found_in(journal, session, library=False) for session in sessions]
    give(render_comparison(side_by_side(reports), form), output)


@cli.command()
def group(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Reports as JSON, one a person.")],
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Leave out who is who.")] = False,
    form: Annotated[Literal["html", "json", "md"], typer.Option("--format", help="What to write.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to; stdout when left out.")] = None,
) -> None:
    """Summarise several people's reports: what the group misses most. A person is called as their file is."""
    from interviewer.report.group import summarise
    from interviewer.report.json import read_reports
    from interviewer.report.several import render_group

    reports = read_reports([(path, text_of(path)) for path in files])
    give(render_group(summarise(reports, anonymous=anonymous), form), output)


@cli.command()
def sessions(
    as_json: AsJson = False,
    assessments: Annotated[
        bool, typer.Option("--assessments", help="What was self-assessed in all of them, as labelled samples.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the samples; stdout when left out.")
    ] = None,
) -> None:
    """List the interviews, the latest first, or what the person settled in them."""
    from interviewer.assessments import sample_line, self_assessed
    from interviewer.journal import Journal

    if output is not None and not assessments:
        raise BadInputError("Only self-assessed samples are written to a file.", hint="Add --assessments.")
    with Journal(paths.journal()) as journal:
        found = journal.sessions()
        if assessments:
            samples = [sample for one in found for sample in self_assessed(journal.events(one.id))]
            give("".join(sample_line(sample) + "\n" for sample in samples), output)
            return
    if as_json:
        print_json([summary.model_dump(mode="json") for summary in found])
        return
    for summary in found:
        state = "ended" if summary.ended else "open"
        started = summary.started.astimezone().strftime("%Y-%m-%d %H:%M")
        say(f"{summary.id}  {started}  {state}, {summary.asked} questions")


@cli.command()
def doctor(as_json: AsJson = False) -> None:
    """Tell what this machine has, which profile and models were chosen, what is missing and how to get it."""
    from serving.doctor import examine

    findings = examine()
    if as_json:
        print_json(findings.model_dump(mode="json"))
        return
    for line in findings.lines():
        say(line)


@cli.command("verify-code")
def verify_code(
    question: Annotated[str, typer.Option(help="Id of a coding or debugging question.")],
    file: Annotated[Path, typer.Option(help="The submission, a Python file; - reads standard input.")],
    examples: Annotated[bool, typer.Option("--examples", help="Only the tests that a person may see.")] = False,
    seed: Annotated[int | None, typer.Option(help="Draw the inputs of an earlier result again.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a submission against a question's hidden tests, in the sandbox."""
    from knowledge.bank import load_bank
    from rubric.execution import CodeStatus

    parts = Parts()
    asked = next((held for held in load_bank() if held.id == question), None) or from_index(question, parts)
    if asked is None or asked.task is None:
        known = "is no question" if asked is None else "is no coding question"
        raise BadInputError(f"{question} {known}.", hint="`search TEXT --kind coding` finds some.")
    source = text_of(file)
    try:
        with shown("Tests"):
            result = parts.verifier.verify(asked.task, source, only_examples=examples, seed=seed)
    finally:
        parts.close()
    if as_json:
        print_json(code_row(result))
    else:
        show_code_result(result)
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        raise typer.Exit(3)


def from_index(question_id: str, parts: Parts) -> Any:
    """The question of that id out of the person's own documents; ``None`` where there is none."""
    from knowledge.index import QuestionIndex

    try:
        return QuestionIndex.open(paths.index(), parts.embedder).get(question_id)
    except KeyError:
        return None


def text_of(file: Path) -> str:
    """A file's text; that of standard input for ``-``.

    Raises:
        BadInputError: it cannot be read, or is no text.

    """
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise BadInputError(f"{file} cannot be read: {why}.") from error


def code_row(result: CodeResult) -> dict[str, Any]:
    """A result as the command prints it."""
    row = result.model_dump(mode="json")
    return {**row, "stdout": row.pop("printed"), "stderr": row.pop("errors"), "timing": row["timing"] or None}


def show_code_result(result: CodeResult) -> None:
    """A result for a person."""
    from interviewer.report.words import impossible

    say(f"{result.status.replace('_', ' ')}{': ' + result.message if result.message else ''}")
    for test in result.tests:
        say(f"  {test.status.replace('_', ' '):>12}  {test.title}  {test.message}".rstrip())
        for case in test.failing:
            say(f"                with {case.put_in}: expected {case.expected}, got {case.got}")
    for timed in result.timing:
        grows = f"time grows like n^{timed.exponent:.1f} (ours: n^{timed.our_exponent:.1f})"
        say(f"  {timed.title}: {grows}{impossible(timed)}")
    for text in (result.printed, result.errors):
        if text:
            err.print(text, markup=False, highlight=False)


@cli.command()
def transcribe(
    file: Annotated[Path, typer.Argument(help="A recording: WAV, WebM, MP3, Ogg or M4A.")],
    question: Annotated[str | None, typer.Option(help="Id of the question it answers; its terms help.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recognise a recorded answer: its text, its words with their times, and how it was said."""
    from interviewer.listening import transcript_row
    from knowledge.bank import load_bank

    parts = Parts()
    asked = None
    if question is not None:
        asked = next((held for held in load_bank() if held.id == question), None) or from_index(question, parts)
        if asked is None:
            raise BadInputError(f"There is no question {question}.", hint="`search TEXT` finds some.")
    heard = parts.hear(file, asked)
    if as_json:
        print_json(transcript_row(heard))
    elif heard.transcript.text:
        say(heard.written)
    if heard.problem:
        raise BadInputError(f"{file}: {heard.problem}")


@cli.command()
def prepare(
    models: Annotated[bool, typer.Option("--models", help="The models alone, not the index of questions.")] = False,
) -> None:
    """Fetch and convert all models now, so that the first interview starts at once."""
    from serving.speech.models import ensure_speech

    parts = Parts()
    parts.embedding_model()
    if not models:
        with shown("Question index"):
            parts.library().catch_up()
    with shown("Judge") as tell:
        parts.judge_service.fetch(tell)
    with shown("Speech") as tell:
        ensure_speech(tell)
    err.print("Everything is there.")


@cli.command()
def adapt() -> None:
    """Fit the sentence encoder and the cross-encoder to the bank's example statements, and write what changed."""
    from knowledge.bank import load_bank
    from rubric import contrast, relate
    from serving import models

    data = contrast.groups([(held.id, held.rubric.criteria) for held in load_bank() if held.rubric])
    with shown("Embedding model") as tell:
        folder = models.ensure_embedder(tell)
    for name, fit, target in (
        ("Fitting the sentence encoder", contrast.fit, contrast.ADAPTER),
        ("Fitting the cross-encoder", relate.fit, relate.CROSS_ENCODER),
    ):
        with shown(name) as tell:
            fit(folder, data, target, lambda done, of, loss: tell(f"{done} of {of} steps, {loss:.2f}", done / of))


@cli.command()
def tune() -> None:
    """Fit the upper layers of the judge's model to the bank: hours on two cores, minutes on a GPU; then calibrate."""
    from transformers import AutoTokenizer

    from knowledge.bank import bank_criteria
    from rubric import head, lora
    from rubric.samples import BANK_ANSWERS, dealt, read_bank_answers
    from serving import models
    from serving.dense import dense

    questions = bank_criteria()
    learned, _ = dealt(read_bank_answers(BANK_ANSWERS, questions))
    data = lora.Drawer(list(questions.values()), learned, seed=0)
    with shown("Judge's model") as tell:
        folder = models.ensure_whole(tell)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with shown("Fitting the judge's upper layers") as tell:
        lora.fit(
            dense(folder, models.JUDGE_LAYERS),
            lambda text: tokenizer(text, add_special_tokens=False)["input_ids"],
            data,
            models.JUDGE_ADAPTER,
            lambda done, of, loss: tell(f"{done} of {of} steps, {loss:.2f}", done / of),
            begin=head.load().state,
        )
    lora.save_note(data, BANK_ANSWERS, models.JUDGE_ADAPTER)


@cli.command()
def calibrate(data: Annotated[Path, typer.Option(help="Folder with the graded answers.")]) -> None:
    """Fit the judge's weights to graded answers and write them into the project."""
    from knowledge.bank import bank_criteria
    from rubric import fit
    from rubric.samples import BANK_ANSWERS, dealt, read_answers, read_bank_answers
    from serving import models

    _, ours = dealt(read_bank_answers(BANK_ANSWERS, bank_criteria()))
    answers = read_answers(data) + ours
    parts = Parts()
    try:
        parts.embedding_model()
        parts.judge()
        with shown("Reading states") as tell:
            samples = fit.table(
                answers,
                parts.judge_service.client,
                parts.statement_encoder,
                parts.cross_encoder,
                lambda done, all_: tell(f"{done} of {all_} answers", done / all_),
            )
    finally:
        parts.close()
    fit.save(fit.fit(samples), samples, data, models.EMBEDDED.name)


@cli.command()
def stop() -> None:
    """Stop the model server that an earlier command left warm."""
    from serving.vllm import stop_running

    err.print("The model server was stopped." if stop_running("judge") else "No model server runs.")


data = typer.Typer(help="Your data: as one file, back in again, or deleted.", no_args_is_help=True)
cli.add_typer(data, name="data")


@data.command("export")
def export_data(target: Annotated[Path, typer.Argument(metavar="FILE", help="The zip file to write.")]) -> None:
    """Write all interviews and documents into one file."""
    from interviewer.archive import export_all
    from interviewer.journal import Journal

    need_folder(target)
    with Journal(paths.journal()) as journal:
        done = export_all(journal, paths.documents(), target)
    err.print(f"{done.sessions} interviews and {len(done.documents)} documents.")


@data.command("import")
def import_data(source: Annotated[Path, typer.Argument(metavar="FILE", help="What `data export` wrote.")]) -> None:
    """Take interviews and documents in; what is there already stays as it is."""
    from interviewer.archive import import_all
    from interviewer.journal import Journal
    from knowledge.ingest import ingest as read

    with Journal(paths.journal()) as journal:
        done = import_all(source, journal, paths.documents())
    if done.documents:
        parts = Parts()
        parts.embedding_model()
        try:
            with shown("Documents") as tell:
                read([paths.documents() / name for name in done.documents], parts.library(), tell)
        finally:
            parts.close()
    err.print(f"{done.sessions} interviews with {done.events} new events, {len(done.documents)} new documents.")


@data.command("delete")
def delete_data(
    session: Annotated[str | None, typer.Argument(help="Id of the interview to delete.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Delete all interviews.")] = False,
    background: Annotated[
        bool,
        typer.Option("--background", help="What was read off a résumé or job description, and all that came of it."),
    ] = False,
    recordings: Annotated[
        bool, typer.Option("--recordings", help="Only the sound of spoken answers, of that interview or of all.")
    ] = False,
) -> None:
    """Delete an interview, all of them, what is known of your background with the interviews that used it, or sounds.

    The recordings of an interview go with it.
    """
    from interviewer.background import forget
    from interviewer.journal import Journal
    from interviewer.recordings import bring_home
    from interviewer.recordings import delete as delete_recordings

    def own() -> list[str]:
        with Journal(paths.journal()) as journal:
            return [one.id for one in journal.sessions()]

    bring_home(paths.home(), own)
    if recordings and not (everything or background):
        count = delete_recordings(paths.home(), session)
        err.print(f"{count} recording{'' if count == 1 else 's'} deleted.")
        return
    if (session is not None) + everything + background != 1 or recordings:
        raise BadInputError("Name one interview, or give --all, --background or --recordings.")
    with Journal(paths.journal()) as journal:
        if session is not None:
            known_events(journal, session)
        held = journal.sessions()
        gone = [one.id for one in held if everything or one.id == session or (background and one.plan.background)]
        for name in [session] if session is not None else gone:
            journal.delete(name)
            delete_recordings(paths.home(), name)
    if everything:
        delete_recordings(paths.home())
    forgotten = (background or everything) and forget(paths.home())
    err.print(f"{len(gone)} interviews deleted." + (" Nothing is known of your background." if forgotten else ""))


def rendered(journal: Any, session: str, form: str, view: str = "person") -> str | bytes:
    """The report of an interview in a format; a PDF is bytes, all else is text.

    Raises:
        BadInputError: there is no interview of that id.
    """
    from interviewer.recordings import bring_home, folder_of
    from interviewer.report.html import render_html
    from interviewer.report.json import render_json
    from interviewer.report.markdown import render_markdown
    from interviewer.report.pdf import render_pdf
    from interviewer.report.sounds import sounds
    from interviewer.report.views import for_interviewer
    from interviewer.session import fold

    found = found_in(journal, session, library=view == "person")
    if view == "interviewer":
        found = for_interviewer(found)
    if form == "html":
        bring_home(paths.home(), lambda: [session])
        kept = folder_of(paths.home(), session)
        return render_html(found, sounds(fold(journal.events(session)), found, kept))
    forms: dict[str, Any] = {"json": render_json, "md": render_markdown, "pdf": render_pdf}
    made: str | bytes = forms[form](found)
    return made


def found_in(journal: Any, session: str, *, library: bool = True) -> Any:
    """What the report of an interview says.

    Args:
        journal: the open journal.
        session: the interview's id.
        library: whether it names questions of the bank to try next; reading the bank takes a second or two.

    Raises:
        BadInputError: there is no interview of that id.
    """
    from interviewer.report.earlier import earlier_scores
    from interviewer.report.findings import findings
    from interviewer.session import fold
    from rubric.calibration import known_cards

    state = fold(known_events(journal, session))
    questions = bank() if library else ()
    return findings(session, state, known_cards(paths.judges()), questions, earlier_scores(journal, session))


@cache
def bank() -> Any:
    """The questions of the bank, read once."""
    from knowledge.bank import load_bank

    return tuple(load_bank())


def known_events(journal: Any, session: str) -> Any:
    """The events of an interview.

    Raises:
        BadInputError: there is no interview of that id.
    """
    events = journal.events(session)
    if not events:
        raise BadInputError(f"There is no interview {session}.", hint="`python app.py sessions` lists them.")
    return events


def give(text: str | bytes, output: Path | None) -> None:
    """Text, or a file's bytes, to a file, or to stdout where none is named."""
    if output is not None:
        write(output, text)
    elif isinstance(text, bytes):
        sys.stdout.buffer.write(text)
    else:
        print(text, end="" if text.endswith("\n") or not text else "\n")


def need_folder(path: Path) -> None:
    """Check that a file can be made there.

    Raises:
        BadInputError: its folder does not exist.
    """
    if not path.parent.is_dir():
        raise BadInputError(f"The folder {path.parent} does not exist.", hint="Make it, or choose another one.")


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        BadInputError: its folder does not exist.
        StorageError: the disk refused.
    """
    need_folder(path)
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


def question_row(question: Any) -> dict[str, Any]:
    """A question as ``ingest --json`` prints it."""
    source = {key: value for key, value in question.source.model_dump().items() if value}
    return {
        "id": question.id,
        "question": question.text,
        "code": [block.text for block in question.code],
        "kind": str(question.kind),
        "topic": question.topic,
        "source": source,
    }


def hit_row(hit: Any, references: Any) -> dict[str, Any]:
    """A hit as ``search --json`` prints it; its places are those of all documents that ask it."""
    return {
        "id": hit.question.id,
        "question": hit.question.text,
        "score": round(hit.score, 4),
        "similarity": round(hit.similarity, 4),
        "kind": str(hit.question.kind),
        "topic": hit.question.topic,
        "level": hit.question.level and str(hit.question.level),
        "places": [reference.source.place for reference in references],
    }


def show_explanation(questions: Any, index: Any, *, as_json: bool) -> None:
    """What was made of documents, as tables or as data."""
    from knowledge.explain import explain
    from knowledge.explain_tables import tables

    explanation = explain(questions, index.library())
    if as_json:
        print_json(explanation.model_dump(mode="json"))
        return
    console = Console()
    for table in tables(explanation):
        console.print(table)


def chosen(names: Any, given: str) -> Any:
    """The kind or level of that name.

    Raises:
        BadInputError: there is none.
    """
    if given not in set(names):
        raise BadInputError(f"There is no {given}.", hint=f"Choose among: {', '.join(names)}.")
    return names(given)


def known_source(sources: Any, given: str) -> str:
    """The source of the index that a person means: by its path, or a bank file by its name.

    Raises:
        BadInputError: there is none, or there are several.
    """
    exact = [source for source in sources if source in {given, f"bank/{given}", str(Path(given).resolve())}]
    found = exact or [source for source in sources if Path(source).name == given]
    if len(found) != 1:
        why = "is not in the index" if not found else "names several"
        raise BadInputError(f"The document {given} {why}.", hint="Give its path as it was read.")
    return str(found[0])


def say(text: str) -> None:
    """A line on stdout, never wrapped or styled: it may be somebody's document."""
    print(text)


def print_json(document: object) -> None:
    """One JSON document on stdout."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def main() -> int:
    """Run a command and turn errors into sentences and exit statuses."""
    handler = RichHandler(console=err, show_path=False, show_time=False)
    logging.basicConfig(level=os.environ.get("INTERVIEWER_LOG", "WARNING").upper(), handlers=[handler])
    try:
        status = cli(standalone_mode=False)
    except InterviewerError as error:
        err.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        return error.exit_status
    except typer.TyperException as error:
        err.print(error.format_message(), style="red", markup=False, highlight=False)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        err.print("Stopped. What was done is kept; the same command goes on from here.")
        return 130
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    leaving = Leaving()
    leaving.status = main()
    sys.exit(leaving.status)
