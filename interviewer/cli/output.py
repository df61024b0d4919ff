"""What commands write: progress bars, files, tables, JSON."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from interviewer.cli.console import PlainConsole, plain, plain_json
from serving.atomic import write_atomic
from serving.progress import Progress

if TYPE_CHECKING:
    from rubric.coding.result import CodeResult
    from serving.warmup import Warmup


err = PlainConsole(stderr=True)


def counting(label: str = "{task.description}") -> tuple[ProgressColumn, ...]:
    """The columns of a progress bar that says how many of how many are done, behind a label."""
    return TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()


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


def code_row(result: CodeResult) -> dict[str, Any]:
    """A result as the command prints it."""
    row = result.model_dump(mode="json")
    return {**row, "stdout": row.pop("printed"), "stderr": row.pop("errors"), "timing": row["timing"] or None}


def show_code_result(result: CodeResult) -> None:
    """A result for a person."""
    from interviewer.report.phrases.code import impossible
    from rubric.coding.result import told

    say(f"{result.status.replace('_', ' ')}{': ' + result.message if result.message else ''}")
    for test in result.tests:
        say(f"  {test.status.replace('_', ' '):>12}  {test.title}  {test.message}".rstrip())
        for case in test.failing:
            say(f"                with {case.put_in}: expected {case.expected}, got {case.got}")
    for remark in result.remarks:
        say(f"  {'noticed':>12}  {told((remark,))}")
    for timed in result.timing:
        grows = f"time grows like n^{timed.exponent:.1f} (ours: n^{timed.our_exponent:.1f})"
        say(f"  {timed.title}: {grows}{impossible(timed)}")
    for text in (result.printed, result.errors):
        if text:
            err.print(text, markup=False, highlight=False)


def give(text: str | bytes, output: Path | None) -> None:
    """Text, or a file's bytes, to a file, or to stdout where none is named; a terminal is given nothing it obeys."""
    if output is not None:
        write_atomic(output, text)
    elif isinstance(text, bytes):
        sys.stdout.buffer.write(text)
    else:
        told = plain(text) if sys.stdout.isatty() else text
        print(told, end="" if text.endswith("\n") or not text else "\n")


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
    from interviewer.cli.explanation_tables import tables
    from knowledge.ingestion.explanation import explain

    explanation = explain(questions, index.library())
    if as_json:
        print_json(explanation.model_dump(mode="json"))
        return
    console = PlainConsole()
    for table in tables(explanation):
        console.print(table)


def say(text: str) -> None:
    """A line on stdout, never wrapped or styled, and nothing a terminal obeys: it may be somebody's document."""
    print(plain(text))


def print_json(document: object) -> None:
    """One JSON document on stdout."""
    print(plain_json(json.dumps(document, ensure_ascii=False, indent=2)))
