"""Options and arguments that several commands share, and how their values are read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from serving.errors import BadInputError

LlmUrl = Annotated[str | None, typer.Option(help="Use the OpenAI-compatible model server at this URL.")]
JudgeUrl = Annotated[
    list[str] | None,
    typer.Option(metavar="URL", help="Use the judge that `judge` serves at this URL; can be repeated."),
]
RunnerUrl = Annotated[
    list[str] | None,
    typer.Option(metavar="URL", help="Have submitted code run by the `runner` at this URL; can be repeated."),
]
Model = Annotated[str | None, typer.Option(help="Which of that server's models to use.")]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="INTERVIEWER_DATABASE",
        help="The database of the interviews: postgresql://USER@HOST/NAME, or sqlite:///FILE; if left out, a file in "
        "the home folder. Other users of this machine can see a command line, so put a password into the variable.",
    ),
]
TracesUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Send traces to this collector, by OTLP over HTTP; OpenTelemetry's own variables, such as "
        "OTEL_EXPORTER_OTLP_ENDPOINT, do the same.",
    ),
]


class LogFormat(StrEnum):
    """How a command logs."""

    TEXT = "text"
    JSON = "json"


AsLogged = Annotated[LogFormat, typer.Option(help="Log sentences, or one JSON object a line.")]
Files = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="INTERVIEWER_FILES",
        help="Where recordings and documents are that several pages share: a folder, or s3://BUCKET/PREFIX with keys, "
        "region, and endpoint in the AWS_ variables; if left out, the home folder.",
    ),
]
Session = Annotated[str, typer.Argument(help="Id of an interview, as `sessions` lists it.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


def no_interview(session: str) -> BadInputError:
    """Returns the error about an interview that is not there."""
    return BadInputError(f"There is no interview {session}.", hint="`python app.py sessions` lists them.")


def text_of(file: Path) -> str:
    """A file's text; that of standard input for ``-``.

    Raises:
        BadInputError: it cannot be read, or is no text.

    """
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadInputError(f"{file} cannot be read: {why}.") from error


def chosen(names: Any, given: str) -> Any:
    """The kind or level of that name.

    Raises:
        BadInputError: there is none.
    """
    try:
        return names(given)
    except ValueError as error:
        raise BadInputError(f"There is no {given}.", hint=f"Choose one of: {', '.join(names)}.") from error


def known_source(sources: Any, given: str) -> str:
    """The source of the index that a person means: by its path, or a bank file by its name.

    Raises:
        BadInputError: there is none, or there are several.
    """
    exact = [source for source in sources if source in {given, f"bank/{given}", str(Path(given).resolve())}]
    found = exact or [source for source in sources if Path(source).name == given]
    if len(found) != 1:
        why = "is not in the index" if not found else "has a name that several share"
        raise BadInputError(f"The document {given} {why}.", hint="Give its path as it was read.")
    return str(found[0])


def need_one_judge(llm_url: str | None, judge_urls: Sequence[str] | None) -> None:
    """Make sure that no two kinds of judge are named.

    Raises:
        BadInputError: they are.

    """
    if judge_urls and llm_url:
        raise BadInputError("Answers are graded by one judge.", hint="Give --judge-url or --llm-url.")
