"""Commands that export, import and delete a person's data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli.container import Container
from interviewer.cli.options import Database, no_interview
from interviewer.cli.output import err, shown
from interviewer.text import count
from serving import paths
from serving.errors import BadInputError

data = typer.Typer(help="Export, import, or delete your data.", no_args_is_help=True, add_completion=False)


@data.command("export")
def export_data(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The zip file to write.")], database: Database = None
) -> None:
    """Write all interviews and documents into one file."""
    from interviewer.storage.archive import export_all
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        done = export_all(journal, paths.documents(), target)
    err.print(f"{count(done.sessions, 'interview')} and {count(len(done.documents), 'document')}.")
    if done.damaged:
        err.print(
            f"{done.damaged} damaged entries are kept apart in the file; `data import` does not read them back in."
        )
    if done.newer:
        entries = f"{done.newer} entries are" if done.newer > 1 else "1 entry is"
        err.print(f"{entries} of a newer version of this program, which has to be the one that imports the file.")


@data.command("import")
def import_data(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What `data export` wrote.")], database: Database = None
) -> None:
    """Import interviews and documents; what is there already stays as it is."""
    from interviewer.storage.archive import import_all
    from interviewer.storage.registry import open_journal
    from knowledge.ingestion.pipeline import ingest as read

    with open_journal(database) as journal:
        done = import_all(source, journal, paths.documents())
    if done.documents:
        container = Container()
        container.embedding_model()
        try:
            with shown("Documents") as tell:
                read([paths.documents() / name for name in done.documents], container.library(), tell)
        finally:
            container.close()
    documents = count(len(done.documents), "new document")
    err.print(f"{count(done.sessions, 'interview')} with {count(done.events, 'new event')}, {documents}.")


@data.command("delete")
def delete_data(
    session: Annotated[str | None, typer.Argument(help="Id of the interview to delete.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Delete all interviews.")] = False,
    background: Annotated[
        bool,
        typer.Option(
            "--background", help="What was read from a résumé or job description, and the interviews that used it."
        ),
    ] = False,
    recordings: Annotated[
        bool, typer.Option("--recordings", help="Only the recordings of spoken answers, of that interview or of all.")
    ] = False,
    database: Database = None,
) -> None:
    """Delete one interview, all of them, your background with the interviews that used it, or recordings.

    The recordings of an interview are deleted with it.
    """
    from interviewer.planning.candidate_background import forget
    from interviewer.storage.recordings import bring_home
    from interviewer.storage.recordings import delete as delete_recordings
    from interviewer.storage.registry import open_journal
    from interviewer.storage.results import regrade_folder

    def own() -> list[str]:
        with open_journal(database) as journal:
            return [one.id for one in journal.sessions()]

    bring_home(paths.home(), own)
    if recordings and not (everything or background):
        err.print(f"{count(delete_recordings(paths.home(), session), 'recording')} deleted.")
        return
    if (session is not None) + everything + background != 1 or recordings:
        raise BadInputError("Name one interview, or give --all, --background, or --recordings.")
    with open_journal(database) as journal:
        if session is not None and not journal.holds(session):
            raise no_interview(session)
        held = journal.sessions(checked=True)
        gone = [one.id for one in held if everything or one.id == session or (background and one.plan.background)]
        for name in [session] if session is not None else gone:
            journal.delete(name)
            delete_recordings(paths.home(), name)
            regrade_folder.delete(paths.home(), name)
        unknown = [one for one in held if background and (one.damaged or one.newer) and one.id not in gone]
        if everything:
            journal.delete(None)
    for one in unknown:
        why = "damaged" if one.damaged else "of a newer version of this program"
        err.print(f"Interview {one.id} is {why}: if your background was used in it, `data delete {one.id}` deletes it.")
    if everything:
        delete_recordings(paths.home())
        regrade_folder.delete(paths.home())
    forgotten = (background or everything) and forget(paths.home())
    err.print(f"{count(len(gone), 'interview')} deleted." + (" Your background was deleted too." if forgotten else ""))
