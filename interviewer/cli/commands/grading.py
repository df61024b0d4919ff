"""Commands that grade answers and verify code outside of an interview."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from interviewer.cli.commands.documents import from_index
from interviewer.cli.commands.reports import known_events
from interviewer.cli.container import Container
from interviewer.cli.options import AsJson, Database, JudgeUrl, LlmUrl, Model, RunnerUrl, text_of
from interviewer.cli.output import code_row, counting, err, give, print_json, show_code_result, shown
from interviewer.text import count
from serving import paths
from serving.atomic import need_writable
from serving.errors import BadInputError, StorageError

if TYPE_CHECKING:
    from interviewer.report.analysis.regrade import Regrade, RegradedTerm
    from rubric.model import Grade

LOOK_S = 1.0
"""Seconds between two looks at how far the workers are."""


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
        with Bar(*counting("Grading"), console=err) as bar:
            task = bar.add_task("")
            grade_file(jobs, target, container.grader, lambda done, all_: bar.update(task, completed=done, total=all_))
        err.print(f"{len(jobs)} answers graded into {target}.")
    finally:
        container.close()


def regrade(
    session: Annotated[str | None, typer.Argument(help="Id of an interview, as `sessions` lists it.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All interviews.")] = False,
    queue: Annotated[
        bool, typer.Option("--queue", help="With --all: have workers do it, and show the difference when they have.")
    ] = False,
    wait: Annotated[bool, typer.Option("--wait", help="With --queue: wait until they have.")] = False,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="With --all: have the machines of this Ray cluster do it: auto, HOST:PORT, ray://HOST:PORT, or local "
            "to start one on this machine.",
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="With --queue or --ray: forget what came of it before, and begin anew.")
    ] = False,
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    as_json: AsJson = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; stdout if left out.")] = None,
    database: Database = None,
) -> None:
    """Grade an interview again with the current judge and show the difference; its journal stays as it is."""
    from interviewer.report.analysis.regrade import lines, term, term_lines

    if (session is not None) == everything:
        raise BadInputError("Name one interview, or give --all.")
    if ((queue or ray is not None) and not everything) or (queue and ray is not None):
        raise BadInputError("--queue or --ray goes with --all.")
    if (wait and not queue) or (again and not queue and ray is None):
        raise BadInputError("--wait goes with --queue, --again with --queue or --ray.")
    if output is not None:
        need_writable(output)
    if queue:
        if llm_url or judge_url or model:
            raise BadInputError(
                "Workers grade with the judge that they were started with.", hint="Give it to `worker`."
            )
        queued = _queued(database, wait=wait, again=again)
        if queued is not None:
            give((queued.model_dump_json(indent=2) if as_json else "\n".join(term_lines(queued))) + "\n", output)
        return
    if ray is not None:
        from interviewer.cli.bulk.regrade_command import regraded_by_ray

        done = regraded_by_ray(ray, database, llm_url=llm_url, model=model, judge_urls=judge_url, again=again)
        give((done.model_dump_json(indent=2) if as_json else "\n".join(term_lines(done))) + "\n", output)
        return
    made, failed = _regraded_here(session, database, lambda: Container(llm_url, model, judge_url))
    if session is not None:
        text = made[session].model_dump_json(indent=2) if as_json else "\n".join(lines(made[session]))
    else:
        done = term(made, failed)
        text = done.model_dump_json(indent=2) if as_json else "\n".join(term_lines(done))
    give(text + "\n", output)


def _regraded_here(
    session: str | None, database: str | None, make: Callable[[], Container]
) -> tuple[dict[str, Regrade], dict[str, str]]:
    """An interview, or all, graded again in this process, and why some cannot be: each by its id."""
    from interviewer.engine.grading_queue import PATIENCE_S, grade_patiently
    from interviewer.report.analysis.regrade import compare, due
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        names = [session] if session is not None else [one.id for one in journal.sessions() if one.asked]
        events = {name: known_events(journal, name) for name in names}
    requests, failed = {}, {}
    for name in names:
        try:
            requests[name] = due(events[name])
        except StorageError as error:
            if session is not None:
                raise
            failed[name] = str(error)
    work = [(name, each) for name, found in requests.items() for each in found]
    grades: dict[str, dict[str, Grade]] = {name: {} for name in requests}
    container = make()
    try:
        if work:
            container.embedding_model()
            container.judge()
        with Bar(*counting("Grading"), console=err, transient=True) as bar:
            for name, each in bar.track(work):
                grades[name][each.answer_id] = grade_patiently(container.grader, each.request, PATIENCE_S)
    finally:
        container.close()
    return {name: compare(events[name], each) for name, each in grades.items()}, failed


def _queued(database: str | None, *, wait: bool, again: bool) -> RegradedTerm | None:
    """Has workers grade all interviews again; what they made of them once they have, ``None`` before."""
    from interviewer.cli.queued_regrading import outcome_of, told
    from interviewer.storage.jobs import JobQueue
    from interviewer.storage.postgres_journal import PostgresJournal
    from interviewer.storage.regrades import Regrades

    url = database or ""
    jobs = JobQueue(url)
    with PostgresJournal(url, paths.owner(paths.home())) as journal:
        regrades = Regrades(journal)
        new = regrades.put([one.id for one in journal.sessions() if one.asked], jobs, again=again)
        standing = regrades.standing()
        err.print(f"{count(new, 'new job')}. {told(standing)}", highlight=False)
        if not standing.over:
            err.print(
                "Workers grade them: `python app.py worker`. The same command says how far they are.", soft_wrap=True
            )
        with Bar(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=err, transient=True
        ) as bar:
            task = bar.add_task("", total=sum(standing), visible=wait)
            while wait and not standing.over:
                time.sleep(LOOK_S)
                standing = regrades.standing()
                bar.update(task, description=told(standing), completed=standing.done + standing.failed)
        return outcome_of(regrades) if standing.over else None


def verify_code(
    question: Annotated[str, typer.Option(help="Id of a coding or debugging question.")],
    file: Annotated[Path, typer.Option(help="The submission, a Python file; - reads standard input.")],
    examples: Annotated[bool, typer.Option("--examples", help="Only the tests that are shown to the person.")] = False,
    seed: Annotated[int | None, typer.Option(help="Use the same inputs as an earlier result.")] = None,
    runner_url: RunnerUrl = None,
    as_json: AsJson = False,
) -> None:
    """Run a submission against a question's hidden tests, in the sandbox."""
    from knowledge.bank.parser import load_bank
    from rubric.coding.result import CodeStatus

    container = Container(runner_urls=runner_url, again="run this again later")
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
