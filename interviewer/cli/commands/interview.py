"""Commands that hold an interview in the terminal or from a file of answers, and transcribe a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from interviewer.cli.commands.documents import from_index, path_in_index
from interviewer.cli.commands.reports import rendered
from interviewer.cli.console import PlainConsole
from interviewer.cli.container import PATIENCE_S, Container
from interviewer.cli.options import AsJson, LlmUrl, Model
from interviewer.cli.output import err, print_json, say
from serving.atomic import need_writable, write_atomic
from serving.errors import BadInputError


def interview(
    recordings: Annotated[list[Path] | None, typer.Argument(metavar="[WAV...]", hidden=True)] = None,
    answers: Annotated[Path | None, typer.Option(help="Prepared answers, one JSON object per line.")] = None,
    voice_in: Annotated[
        list[Path] | None, typer.Option(metavar="WAV...", help="Recordings; each answers one turn.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Where to write the report, as JSON.")] = None,
    topic: Annotated[list[str] | None, typer.Option(help="A topic to ask about; can be repeated.")] = None,
    level: Annotated[Literal["junior", "mid", "senior", "staff"], typer.Option(help="Level to aim at.")] = "mid",
    length: Annotated[int, typer.Option(help="Number of questions.", min=1, max=50)] = 5,
    minutes: Annotated[
        int | None, typer.Option(help="Length in minutes, instead of a number of questions.", min=5, max=180)
    ] = None,
    role: Annotated[str, typer.Option(help="A job, such as 'ML engineer': sets what is asked about.")] = "",
    documents: Annotated[bool, typer.Option("--documents", help="Ask only from your own documents.")] = False,
    document: Annotated[
        list[str] | None, typer.Option(help="Ask only from this document of yours; can be repeated.")
    ] = None,
    exam: Annotated[bool, typer.Option("--exam", help="No hints, and no marks before the end.")] = False,
    follow_ups: Annotated[int, typer.Option(help="Most follow-ups a question gets.", min=0, max=5)] = 1,
    talks: Annotated[bool, typer.Option("--talks", help="With a warm-up and time for your own questions.")] = False,
    style: Annotated[
        Literal["friendly", "neutral", "demanding"], typer.Option(help="How you are spoken to.")
    ] = "neutral",
    drill: Annotated[
        bool, typer.Option("--drill", help="Keep following up until every point is made or told.")
    ] = False,
    starter: Annotated[
        Literal["usual", "blank", "repair"],
        typer.Option(help="What coding questions start from; usual: juniors repair a program, others write it."),
    ] = "usual",
    question: Annotated[list[str] | None, typer.Option(help="Id of a question to ask; can be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="Makes the choice of questions repeatable.")] = 0,
    resume: Annotated[str | None, typer.Option(help="Id of an interview to go on with.")] = None,
    llm_url: LlmUrl = None,
    model: Model = None,
) -> None:
    """Hold an interview in the terminal, or run one from prepared answers."""
    from interviewer.cli.scripted import read_answers, recorded, run_script
    from interviewer.cli.terminal import TerminalInterview, read_lines
    from interviewer.engine.service import InterviewService
    from interviewer.planning.agenda import InterviewOptions, make_plan
    from interviewer.session.plan import Mode, Style
    from interviewer.storage.registry import open_journal
    from knowledge.model import Level
    from rubric.coding.task import StarterForm
    from serving.warmup import Warmup

    if recordings and not voice_in:
        raise BadInputError(f"Nothing says what {recordings[0]} is for.", hint="Recordings go after --voice-in.")
    if voice_in and answers:
        raise BadInputError("Prepared answers are either written or recorded.", hint="Give --answers or --voice-in.")
    if report is not None:
        need_writable(report)
    voice = recorded([*(voice_in or ()), *(recordings or ())]) if voice_in else None
    container = Container(llm_url, model)
    index = container.library()
    known = {question.id for question in index.questions()}
    script = read_answers(answers, known.__contains__) if answers else voice
    wish = InterviewOptions(
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
        starter=None if starter == "usual" else StarterForm(starter),
        own_documents=documents or bool(document),
        documents=tuple(path_in_index(name, index) for name in document) if document else None,
    )
    plan = make_plan(wish, index.questions(), seed=seed, editor=False)
    if question:
        plan = plan.model_copy(update={"question_ids": tuple(question), "agenda": ()})
    warmup = Warmup([("Judge", container.judge_service.fetch), ("Server", container.judge_service.start)])
    try:
        container.embedding_model()
        if script is not None:
            container.judge()
        else:
            if llm_url:
                container.judge_service.start()
            warmup.start()
        patience = None if script is not None else PATIENCE_S
        # With nobody there to hear them, the bank's own words keep one run like the next.
        paraphraser = container.paraphraser if script is None else None
        with (
            open_journal() as journal,
            InterviewService(
                journal,
                index,
                container.grader,
                patience_s=patience,
                paraphraser=paraphraser,
                encoder=container.statement_encoder,
            ) as service,
        ):
            if script is not None:
                done = run_script(service, plan, script, resume, container.hear)
            else:
                done = TerminalInterview(service, PlainConsole(), read_lines()).hold(plan, resume)
            if report is not None:
                write_atomic(report, rendered(journal, done, "json"))
            err.print(f"Interview {done}", highlight=False)
    finally:
        warmup.stop()
        container.close()


def transcribe(
    file: Annotated[Path, typer.Argument(help="A recording: WAV, WebM, MP3, Ogg or M4A.")],
    question: Annotated[str | None, typer.Option(help="Id of the question it answers; its terms help.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recognize a recorded answer: its text, its words with their times, and how it was said."""
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
