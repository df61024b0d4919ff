"""Commands about this machine: what it can do, the models, the model server."""

from __future__ import annotations

from typing import Annotated

import typer

from interviewer.cli.container import Container
from interviewer.cli.options import AsJson
from interviewer.cli.output import err, print_json, say, shown


def doctor(
    as_json: AsJson = False,
    judge_url: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Ask the judge at this URL how it fares; can be repeated.")
    ] = None,
    runner_url: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Ask the runner at this URL how it fares; can be repeated.")
    ] = None,
) -> None:
    """Show what this machine has, which profile and models were chosen, what is missing, and how to get it."""
    from serving.diagnostics.doctor import examine
    from serving.errors import ServiceMissingError

    findings = examine(judge_url or (), runner_url or ())
    if as_json:
        print_json(findings.model_dump(mode="json"))
    else:
        for line in findings.lines():
            say(line)
    if findings.unusable:
        raise ServiceMissingError(f"Cannot be used now: {', '.join(findings.unusable)}.")


def prepare(
    models: Annotated[bool, typer.Option("--models", help="Only the models, not the index of questions.")] = False,
) -> None:
    """Fetch and convert all models now, so that the first interview starts at once."""
    from serving.speech.models import ensure_speech

    container = Container()
    container.embedding_model()
    if not models:
        with shown("Question index"):
            container.library().catch_up()
    with shown("Judge") as tell:
        container.judge_service.fetch(tell)
    with shown("Speech") as tell:
        ensure_speech(tell)
    err.print("Everything is ready.")


def stop() -> None:
    """Stop the model server that an earlier command left running."""
    from serving.llm.server_state import stop_running

    err.print("The model server was stopped." if stop_running("judge") else "No model server is running.")
