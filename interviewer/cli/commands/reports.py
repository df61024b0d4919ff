"""Commands that list sessions and write reports."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from interviewer.cli.options import AsJson, Database, Files, Session, no_interview, text_of
from interviewer.cli.output import err, give, print_json, say
from interviewer.text import clock, count, day
from serving import paths
from serving.atomic import need_writable, write_atomic
from serving.errors import BadInputError

if TYPE_CHECKING:
    from interviewer.storage.files.recordings import Recordings


def report(
    session: Annotated[str | None, typer.Argument(help="Id of an interview, as `sessions` lists it.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The reports of all interviews, into the folder that -o names.")
    ] = False,
    form: Annotated[
        Literal["html", "pdf", "png", "json", "md"] | None,
        typer.Option(
            "--format", help="What to write; if left out, html, or md on a terminal. png is a picture of page 1."
        ),
    ] = None,
    view: Annotated[
        Literal["person", "interviewer"], typer.Option(help="Who it is for: an interviewer gets no coaching.")
    ] = "person",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write, stdout if left out; with --all, a folder.")
    ] = None,
    database: Database = None,
    files: Files = None,
) -> None:
    """Write the report of an interview, or of all.

    Of all, a report that is there and newer than what happened last in its interview is not written again.
    """
    from interviewer.cli.bulk.report_folder import write_all
    from interviewer.storage.files.opening import open_files
    from interviewer.storage.registry import open_journal

    on_terminal = output is None and sys.stdout.isatty()
    form = form or ("md" if on_terminal else "html")
    if session is None or everything:
        if session is not None or not everything:
            raise BadInputError("Name one interview, or give --all.")
        if output is None:
            raise BadInputError("The reports of all interviews go into a folder.", hint="Name it: -o FOLDER")
        ending = f".{form}" if view == "person" else f".{view}.{form}"
        with open_files(files) as kept, open_journal(database) as journal:
            heard = kept.recordings(paths.home())
            write_all(journal, output, ending, lambda each: rendered(journal, each, form, view, heard))
        return
    if form in {"pdf", "png"} and on_terminal:
        raise BadInputError(f"A {form.upper()} is not for the terminal.", hint=f"Name a file: -o report.{form}")
    with open_files(files) as kept, open_journal(database) as journal:
        text = rendered(journal, session, form, view, kept.recordings(paths.home()))
    give(text, output)


def export_study(
    session: Session,
    anki: Annotated[Path | None, typer.Option(help="Where to write the cards, an .apkg file for Anki.")] = None,
    calendar: Annotated[Path | None, typer.Option(help="Where to write the review dates, an .ics file.")] = None,
    database: Database = None,
) -> None:
    """Write the study plan of an interview as Anki cards and calendar dates."""
    from interviewer.report.export.anki import anki_deck
    from interviewer.report.export.icalendar import review_calendar
    from interviewer.storage.registry import open_journal

    if anki is None and calendar is None:
        raise BadInputError("There is nothing to write.", hint="Name a file with --anki or --calendar.")
    for path in (anki, calendar):
        if path is not None:
            need_writable(path)
    with open_journal(database) as journal:
        found = found_in(journal, session)
    for path, made in ((anki, anki_deck), (calendar, review_calendar)):
        if path is not None:
            write_atomic(path, made(found))
    err.print(f"{count(len(found.study), 'point')} to study.")


def compare(
    sessions: Annotated[list[str], typer.Argument(metavar="SESSION...", help="Ids of two or more interviews.")],
    form: Annotated[Literal["html", "json", "md"], typer.Option("--format", help="What to write.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; stdout if left out.")] = None,
    database: Database = None,
) -> None:
    """Compare interviews by topic and by repeated question, and say which changes are beyond the likely ranges."""
    from interviewer.report.aggregate.comparison import compare as side_by_side
    from interviewer.report.render.multi_session import render_comparison
    from interviewer.storage.registry import open_journal

    if len(set(sessions)) < 2:
        raise BadInputError("One interview cannot be compared.", hint="Name two or more; `sessions` lists them.")
    with open_journal(database) as journal:
        reports = [found_in(journal, session, library=False) for session in sessions]
    give(render_comparison(side_by_side(reports), form), output)


def group(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Reports as JSON, one per person.")],
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Leave out the names.")] = False,
    form: Annotated[Literal["html", "json", "md"], typer.Option("--format", help="What to write.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; stdout if left out.")] = None,
) -> None:
    """Summarize several people's reports: what the group misses most. Each person is named after their file."""
    from interviewer.report.aggregate.group import summarize
    from interviewer.report.render.json import read_reports
    from interviewer.report.render.multi_session import render_group

    reports = read_reports([(path, text_of(path)) for path in files])
    give(render_group(summarize(reports, anonymous=anonymous), form), output)


def sessions(
    as_json: AsJson = False,
    assessments: Annotated[
        bool, typer.Option("--assessments", help="What was self-assessed in all of them, as labeled samples.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File for the samples; stdout if left out.")
    ] = None,
    database: Database = None,
) -> None:
    """List the interviews, latest first, or what the person settled in them."""
    from interviewer.scoring.self_assessment import sample_line, self_assessed
    from interviewer.storage.registry import open_journal

    if output is not None and not assessments:
        raise BadInputError("Only self-assessed samples are written to a file.", hint="Add --assessments.")
    with open_journal(database) as journal:
        found = journal.sessions(checked=not assessments)
        if assessments:
            samples = [sample for one in found for sample in self_assessed(journal.events(one.id))]
            give("".join(sample_line(sample) + "\n" for sample in samples), output)
            return
    if as_json:
        print_json([summary.model_dump(mode="json") for summary in found])
        return
    for summary in found:
        state = "finished" if summary.ended else "in progress"
        state += ", damaged" if summary.damaged else ", of a newer version" if summary.newer else ""
        started = summary.started.astimezone()
        say(f"{summary.id}  {day(started)}, {clock(started)}  {state}, {count(summary.asked, 'question')}")


def rendered(
    journal: Any, session: str, form: str, view: str = "person", recordings: Recordings | None = None
) -> str | bytes:
    """The report of an interview in a format; a PDF and a picture are bytes, all else is text.

    Args:
        journal: the open journal.
        session: the interview's id.
        form: the format.
        view: who it is for.
        recordings: gives what can be listened to; without it, nothing can.

    Raises:
        BadInputError: there is no interview of that id.
    """
    from interviewer.report.analysis.redaction import for_interviewer
    from interviewer.report.export.audio_clips import places, sounds
    from interviewer.report.render.html import render_html
    from interviewer.report.render.json import render_json
    from interviewer.report.render.markdown import render_markdown
    from interviewer.report.render.pdf.document import render_pdf
    from interviewer.report.render.png import render_png
    from interviewer.session.reducer import fold
    from interviewer.storage.recordings import bring_home

    found = found_in(journal, session, library=view == "person")
    if view == "interviewer":
        found = for_interviewer(found)
    if form == "html" and recordings is not None:
        bring_home(paths.home(), lambda: [session])
        state = fold(journal.events(session))
        playable = recordings.playable(session, places(state))
        if playable.note:
            err.print(playable.note, markup=False, highlight=False, soft_wrap=True)
        return render_html(found, sounds(state, found, playable.folder))
    forms: dict[str, Any] = {
        "html": render_html,
        "json": render_json,
        "md": render_markdown,
        "pdf": render_pdf,
        "png": render_png,
    }
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
    from interviewer.dialogue.utterances import replies
    from interviewer.report.aggregate.earlier_scores import earlier_scores
    from interviewer.report.analysis.findings import findings
    from interviewer.session.reducer import fold
    from rubric.grading.prompt_calibration import known_cards

    events = known_events(journal, session)
    state = fold(events, len(journal.read(session).damaged))
    questions = bank() if library else ()
    earlier = earlier_scores(journal, session)
    return findings(session, state, known_cards(paths.judges()), questions, earlier, replies=replies(state))


@cache
def bank() -> Any:
    """The questions of the bank, read once."""
    from knowledge.bank.parser import load_bank

    return tuple(load_bank())


def known_events(journal: Any, session: str) -> Any:
    """The events of an interview; damaged ones are left out, and said to be.

    Raises:
        BadInputError: there is no interview of that id.
        StorageError: nothing of it is whole.
    """
    from interviewer.session.journal import left_out_error

    stored = journal.read(session)
    if stored.damaged and not stored.events:
        raise left_out_error(session, newer=stored.newer)
    if not stored.events:
        raise no_interview(session)
    for one in stored.damaged:
        why = "damaged, or changed since it was written" if one.changed else "unknown to this version of the program"
        what = f"Entry {one.number} of interview {session} ({one.type.replace('_', ' ') or 'of no known kind'})"
        err.print(f"{what} is {why}. It was left out.", markup=False, highlight=False, soft_wrap=True)
    return stored.events
