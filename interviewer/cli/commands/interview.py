"""Commands that hold an interview in the terminal or from a file of answers, and transcribe a recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from interviewer.cli.commands.assign import start_of
from interviewer.cli.commands.documents import from_index, path_in_index
from interviewer.cli.commands.reports import rendered
from interviewer.cli.console import PlainConsole
from interviewer.cli.container import Container, unattended_service
from interviewer.cli.options import AsJson, Database, JudgeUrl, LlmUrl, Model
from interviewer.cli.output import err, print_json, say
from interviewer.planning.agenda import DEFAULTS
from serving.atomic import need_writable, write_atomic
from serving.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interviewer.session.journal import EventJournal
    from knowledge.model import Question


def interview(
    recordings: Annotated[list[Path] | None, typer.Argument(metavar="[WAV...]", hidden=True)] = None,
    answers: Annotated[Path | None, typer.Option(help="Prepared answers, one JSON object per line.")] = None,
    voice_in: Annotated[
        list[Path] | None, typer.Option(metavar="WAV...", help="Recordings; each answers one turn.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Where to write the report, as JSON.")] = None,
    topic: Annotated[list[str] | None, typer.Option(help="A topic to ask about; can be repeated.")] = None,
    level: Annotated[
        Literal["junior", "mid", "senior", "staff"], typer.Option(help="Level to aim at.")
    ] = DEFAULTS.level.value,
    length: Annotated[
        int | None, typer.Option(help="Number of questions, instead of a length in minutes.", min=1, max=50)
    ] = None,
    minutes: Annotated[
        int | None,
        typer.Option(help=f"Length in minutes; {DEFAULTS.minutes} by default.", min=5, max=180),
    ] = None,
    role: Annotated[str, typer.Option(help="A role, such as 'ML engineer': sets what is asked about.")] = "",
    documents: Annotated[bool, typer.Option("--documents", help="Ask only from your own documents.")] = False,
    document: Annotated[
        list[str] | None, typer.Option(help="Ask only from this document of yours; can be repeated.")
    ] = None,
    exam: Annotated[bool, typer.Option("--exam", help="No hints, and no marks before the end.")] = False,
    follow_ups: Annotated[
        int, typer.Option(help="Follow-ups per question; with a clock, two more while there is time.", min=0, max=5)
    ] = DEFAULTS.follow_ups,
    talks: Annotated[
        bool | None,
        typer.Option("--talks/--no-talks", help="Include a warm-up and time for your own questions; on by default."),
    ] = None,
    style: Annotated[
        Literal["friendly", "neutral", "demanding"], typer.Option(help="The interviewer's tone.")
    ] = DEFAULTS.style.value,
    silence_steps: Annotated[
        bool, typer.Option("--silence-steps/--no-silence-steps", help="Check in when you go quiet.")
    ] = DEFAULTS.silence_steps,
    cut_short: Annotated[
        bool | None,
        typer.Option(
            "--cut-short/--no-cut-short",
            help="Interrupt you after 90 seconds without a new point; on by default in the demanding style.",
        ),
    ] = None,
    drill: Annotated[
        bool, typer.Option("--drill", help="Keep following up until every point is made or told.")
    ] = False,
    starter: Annotated[
        Literal["usual", "blank", "repair"],
        typer.Option(
            help="What coding questions start from; usual: juniors fix a broken program, others write from scratch."
        ),
    ] = "usual",
    question: Annotated[list[str] | None, typer.Option(help="Id of a question to ask; can be repeated.")] = None,
    assignment: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Hold the interview that a mentor assigned; see `assignments`."),
    ] = None,
    auth_file: Annotated[Path | None, typer.Option(help="With --assignment: the file of accounts.")] = None,
    seed: Annotated[int, typer.Option(help="Makes the choice of questions repeatable.")] = 0,
    resume: Annotated[str | None, typer.Option(help="Id of an interview to resume.")] = None,
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    database: Database = None,
) -> None:
    """Run an interview in the terminal, or from prepared answers."""
    from interviewer.cli.keyboard import Keyboard
    from interviewer.cli.scripted import read_answers, recorded, run_script
    from interviewer.cli.terminal import TerminalInterview, terminal_service
    from interviewer.planning.agenda import InterviewOptions, make_plan
    from interviewer.session.plan import Mode
    from interviewer.session.style import Style
    from interviewer.storage.registry import open_journal
    from knowledge.model import Level
    from rubric.coding.task import StarterForm

    if recordings and not voice_in:
        raise BadInputError(f"Nothing says what {recordings[0]} is for.", hint="Recordings go after --voice-in.")
    if voice_in and answers:
        raise BadInputError("Prepared answers are either written or recorded.", hint="Give --answers or --voice-in.")
    if report is not None:
        need_writable(report)
    voice = recorded([*(voice_in or ()), *(recordings or ())]) if voice_in else None
    container = Container(llm_url, model, judge_url)
    index = container.library()
    known = {question.id for question in index.questions()}
    script = read_answers(answers, known.__contains__) if answers else voice
    wish = InterviewOptions(
        role=role,
        topics=named_topics(topic or (), index.questions()),
        level=Level(level),
        **_frame(minutes, length, talks, script=script is not None, named=bool(question)),
        mode=Mode.EXAM if exam else Mode.PRACTICE,
        follow_ups=follow_ups,
        drill=drill,
        style=Style(style),
        starter=None if starter == "usual" else StarterForm(starter),
        silence_steps=silence_steps,
        cut_short=cut_short,
        own_documents=documents or bool(document),
        documents=tuple(path_in_index(name, index) for name in document) if document else None,
    )
    plan = make_plan(wish, index.questions(), seed=seed, editor=False)
    if question:
        plan = plan.model_copy(update={"question_ids": tuple(question), "agenda": ()})
    if assignment:
        plan, going = start_of(assignment, auth_file, database, seed)
        if going is not None:
            resume = going
            err.print(f"An interview for this assignment is in progress: {going}. It goes on.", highlight=False)
    if script is None:
        with (
            open_journal(database) as journal,
            terminal_service(container, journal, index, remote=bool(llm_url or judge_url)) as service,
        ):
            done = TerminalInterview(service, PlainConsole(), Keyboard()).hold(plan, resume)
            _tell(journal, done, report)
        return
    try:
        container.embedding_model()
        container.judge()
        # With nobody there to hear them, the bank's own words keep one run like the next.
        with (
            open_journal(database) as journal,
            unattended_service(container, journal, index) as service,
        ):
            done = run_script(service, plan, script, resume, container.hear)
            _tell(journal, done, report)
    finally:
        container.close()


def named_topics(wished: Sequence[str], questions: Sequence[Question]) -> tuple[str, ...]:
    """The topics that somebody named, as they are spelled; those that no question has are told.

    Args:
        wished: what they named.
        questions: all there are, those of their documents included.

    Raises:
        BadInputError: one is a misspelling.

    """
    from interviewer.planning.known_names import known_or_own_topic, topics_of

    topics, found = topics_of(questions), []
    for each in wished:
        name, known = known_or_own_topic(each, topics)
        found.append(name)
        if not known:
            err.print(
                f"There is no topic {name}; questions nearest in meaning are asked. The topics are: "
                f"{', '.join(topics)}.",
                markup=False, highlight=False, soft_wrap=True,
            )  # fmt: skip
    return tuple(found)


def _frame(minutes: int | None, length: int | None, talks: bool | None, *, script: bool, named: bool) -> dict[str, Any]:
    """Returns how long an interview is and what stands around its questions, the defaults where nothing was chosen.

    Where nobody is there, or exactly these questions are asked, the clock does not count, and nothing stands around.
    """
    alone = script or named
    return {
        "minutes": minutes if minutes or length or alone else DEFAULTS.minutes,
        "length": length or DEFAULTS.length,
        "talks": (DEFAULTS.talks and not alone) if talks is None else talks,
        "reviews": 0 if alone else DEFAULTS.reviews,
        "depth": DEFAULTS.depth and not script,
    }


def _tell(journal: EventJournal, session: str, report: Path | None) -> None:
    """Writes the report where one is wanted, and names the interview."""
    if report is not None:
        write_atomic(report, rendered(journal, session, "json"))
    err.print(f"Interview {session}", highlight=False)


def transcribe(
    file: Annotated[Path, typer.Argument(help="A recording: WAV, WebM, MP3, Ogg, or M4A.")],
    question: Annotated[str | None, typer.Option(help="Id of the question it answers; its terms help.")] = None,
    as_json: AsJson = False,
) -> None:
    """Transcribe a recorded answer: its text, its words with their times, and how it was said."""
    from interviewer.speech.transcription import transcript_row
    from knowledge.bank.parser import load_bank

    container = Container()
    asked = None
    if question is not None:
        asked = next((held for held in load_bank() if held.id == question), None) or from_index(question, container)
        if asked is None:
            raise BadInputError(f"There is no question {question}.", hint="`search TEXT` finds some.")
    heard = container.hear(file, asked)
    if as_json:
        print_json(transcript_row(heard))
    elif heard.transcript.text:
        say(heard.written)
    if heard.problem:
        raise BadInputError(f"{file}: {heard.problem}")
