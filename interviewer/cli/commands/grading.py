"""Commands that grade answers and verify code outside of an interview."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from interviewer.cli.commands.documents import from_index
from interviewer.cli.commands.reports import known_events
from interviewer.cli.container import Container
from interviewer.cli.options import AsJson, Database, JudgeUrl, LlmUrl, Model, text_of
from interviewer.cli.output import code_row, err, give, print_json, show_code_result, shown
from serving.atomic import need_writable
from serving.errors import BadInputError

REGRADE_PATIENCE_S = 60.0
"""Seconds that an answer is tried again for while the model's server is away."""


def grade(
    source: Annotated[Path, typer.Option("--input", help="Answers, one JSON object per line.")],
    target: Annotated[Path, typer.Option("--output", help="Where to write the grades.")],
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
) -> None:
    """Grade a file of answers; after an interruption, run it again to continue where it stopped."""
    from rubric.grading.batch import grade_file, read_jobs

    jobs = read_jobs(source)
    need_writable(target)
    container = Container(llm_url, model, judge_url)
    try:
        container.embedding_model()
        container.judge()
        columns = (TextColumn("Grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, console=err) as bar:
            task = bar.add_task("")
            grade_file(jobs, target, container.grader, lambda done, all_: bar.update(task, completed=done, total=all_))
        err.print(f"{len(jobs)} answers graded into {target}.")
    finally:
        container.close()


def regrade(
    session: Annotated[str, typer.Argument(help="Id of an interview, as `sessions` lists it.")],
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    as_json: AsJson = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; stdout if left out.")] = None,
    database: Database = None,
) -> None:
    """Grade an interview again with the current judge and show the difference; its journal stays as it is."""
    from interviewer.engine.grading_queue import grade_patiently
    from interviewer.report.analysis.regrade import compare, due, lines
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        events = known_events(journal, session)
    work = due(events)
    if output is not None:
        need_writable(output)
    grades = {}
    container = Container(llm_url, model, judge_url)
    try:
        if work:
            container.embedding_model()
            container.judge()
        columns = (TextColumn("Grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, console=err, transient=True) as bar:
            for each in bar.track(work):
                grades[each.answer_id] = grade_patiently(container.grader, each.request, REGRADE_PATIENCE_S)
    finally:
        container.close()
    done = compare(events, grades)
    text = done.model_dump_json(indent=2) if as_json else "\n".join(lines(done))
    give(text + "\n", output)


def verify_code(
    question: Annotated[str, typer.Option(help="Id of a coding or debugging question.")],
    file: Annotated[Path, typer.Option(help="The submission, a Python file; - reads standard input.")],
    examples: Annotated[bool, typer.Option("--examples", help="Only the tests that are shown to the person.")] = False,
    seed: Annotated[int | None, typer.Option(help="Use the same inputs as an earlier result.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a submission against a question's hidden tests, in the sandbox."""
    from knowledge.bank.parser import load_bank
    from rubric.coding.result import CodeStatus

    container = Container()
    asked = next((held for held in load_bank() if held.id == question), None) or from_index(question, container)
    if asked is None or asked.task is None:
        known = "is not a question" if asked is None else "is not a coding question"
        raise BadInputError(f"{question} {known}.", hint="`search TEXT --kind coding` finds some.")
    source = text_of(file)
    try:
        with shown("Tests"):
            result = container.verifier.verify(asked.task, source, only_examples=examples, seed=seed)
    finally:
        container.close()
    if as_json:
        print_json(code_row(result))
    else:
        show_code_result(result)
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        raise typer.Exit(3)
