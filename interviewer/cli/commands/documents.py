"""Commands that read documents into the index and search it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from interviewer.cli.container import Container
from interviewer.cli.options import AsJson, chosen, known_source
from interviewer.cli.output import err, hit_row, print_json, question_row, say, show_explanation, shown
from serving import paths
from serving.errors import BadInputError


def ingest(
    sources: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Documents, or folders of documents.")],
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what was merged, what was flagged, and why.")
    ] = False,
    against_bank: Annotated[
        bool, typer.Option("--against-bank", help="Have the judge compare the reference answers with the bank; slow.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read documents into the index and print their questions."""
    from knowledge.ingestion.contradictions import hold_against_bank
    from knowledge.ingestion.pipeline import Outcome
    from knowledge.ingestion.pipeline import ingest as read

    container = Container()
    container.embedding_model()
    try:
        with shown("Documents") as tell:
            index = container.library()
            done = read(sources, index, tell)
            if explain or against_bank:
                index.catch_up(tell)
            if against_bank:
                container.judge()
                done = hold_against_bank(done, index, container.grader, tell)
    except KeyboardInterrupt:
        err.print("Stopped. The questions are as they were before.")
        raise typer.Exit(130) from None
    finally:
        container.close()
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


def search(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int, typer.Option("-k", help="How many questions.", min=1, max=1000)] = 5,
    topic: Annotated[list[str] | None, typer.Option(help="Only this topic; can be repeated.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; can be repeated.")] = None,
    level: Annotated[list[str] | None, typer.Option(help="Only this level; can be repeated.")] = None,
    document: Annotated[list[str] | None, typer.Option(help="Only this document; can be repeated.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Id of a question to leave out; can be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find questions in the index, best first."""
    from knowledge.model import Kind, Level

    if not text.strip():
        raise BadInputError("There is nothing to search for.", hint="Give a few words.")
    kinds = [chosen(Kind, name) for name in kind or ()]
    levels = [chosen(Level, name) for name in level or ()]
    container = Container()
    index = container.library()
    sources = [known_source(index.sources(), name) for name in document or ()]
    container.embedding_model()
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


def from_index(question_id: str, container: Container) -> Any:
    """The question of that id out of the person's own documents; ``None`` where there is none."""
    from knowledge.index.question_index import QuestionIndex

    try:
        return QuestionIndex.open(paths.index(), container.embedder).get(question_id)
    except KeyError:
        return None


def path_in_index(given: str, index: Any) -> str:
    """The path that the questions of one of the person's own documents name.

    Raises:
        BadInputError: it is not in the index, or is one of ours.

    """
    from knowledge.ingestion.pipeline import is_bank

    source = known_source(index.sources(), given)
    if is_bank(source):
        raise BadInputError(f"{given} is not a document of yours.", hint="Leave --document out to be asked from ours.")
    return str(index.shelves()[source].questions[0].source.path)
