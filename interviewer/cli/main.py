"""The command line: ``python app.py COMMAND``.

Exit status 0: success, 2: bad input, 3: a needed service is missing. With ``--json`` one JSON document goes to
stdout; everything else goes to stderr.
"""

from __future__ import annotations

import importlib
import logging
import os
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_command

from interviewer.cli.console import ConsoleLog
from interviewer.cli.output import err
from serving.errors import InterviewerError
from serving.private_files import make_private_files


class CommandEntry(NamedTuple):
    """Where a command is found.

    Attributes:
        target: ``module:name`` of its function, or of the ``Typer`` object of a group of commands.
        help: what it does, as ``--help`` lists it; the first paragraph of its docstring.

    """

    target: str
    help: str


_COMMANDS = "interviewer.cli.commands"

COMMANDS = {
    "serve": CommandEntry(f"{_COMMANDS}.serve:serve", "Serve the page; the models load in the background."),
    "interview": CommandEntry(
        f"{_COMMANDS}.interview:interview",
        "Run an interview in the terminal, or from prepared answers.",
    ),
    "ingest": CommandEntry(
        f"{_COMMANDS}.documents:ingest",
        "Read documents into the index and print their questions.",
    ),
    "search": CommandEntry(f"{_COMMANDS}.documents:search", "Find questions in the index, best first."),
    "grade": CommandEntry(
        f"{_COMMANDS}.grading:grade",
        "Grade a file of answers; after an interruption, run it again to continue where it stopped.",
    ),
    "regrade": CommandEntry(
        f"{_COMMANDS}.grading:regrade",
        "Grade an interview again with the current judge and show the difference; its journal stays as it is.",
    ),
    "report": CommandEntry(f"{_COMMANDS}.reports:report", "Write the report of an interview, or of all."),
    "export-study": CommandEntry(
        f"{_COMMANDS}.reports:export_study",
        "Write the study plan of an interview as Anki cards and calendar dates.",
    ),
    "override": CommandEntry(
        f"{_COMMANDS}.marks:override",
        "Override a mark, as a mentor or teacher; the judge's own mark is kept beside it.",
    ),
    "dispute": CommandEntry(
        f"{_COMMANDS}.marks:dispute",
        "Dispute a mark of your own: the judge grades the point a second time, and both readings are shown.",
    ),
    "compare": CommandEntry(
        f"{_COMMANDS}.reports:compare",
        "Compare interviews by topic and by repeated question, and say which changes are beyond the likely ranges.",
    ),
    "group": CommandEntry(
        f"{_COMMANDS}.reports:group",
        "Summarize several people's reports: what the group misses most. Each person is named after their file.",
    ),
    "sessions": CommandEntry(
        f"{_COMMANDS}.reports:sessions",
        "List the interviews, latest first, or what the person settled in them.",
    ),
    "loop": CommandEntry(f"{_COMMANDS}.loop:loop", "Run a loop of interviews, as companies do, and read the debrief."),
    "stories": CommandEntry(
        f"{_COMMANDS}.stories:stories",
        "List the stories you told as answers to behavioral questions, show one with all its versions, or delete one.",
    ),
    "doctor": CommandEntry(
        f"{_COMMANDS}.machine:doctor",
        "Show what this machine has, which profile and models were chosen, what is missing, and how to get it.",
    ),
    "verify-code": CommandEntry(
        f"{_COMMANDS}.grading:verify_code",
        "Run a submission against a question's hidden tests, in the sandbox.",
    ),
    "transcribe": CommandEntry(
        f"{_COMMANDS}.interview:transcribe",
        "Transcribe a recorded answer: its text, its words with their times, and how it was said.",
    ),
    "prepare": CommandEntry(
        f"{_COMMANDS}.machine:prepare",
        "Fetch and convert all models now, so that the first interview starts at once.",
    ),
    "adapt": CommandEntry(
        f"{_COMMANDS}.train:adapt",
        "Fit the sentence encoder and the cross-encoder to the bank's example statements, and write what changed.",
    ),
    "tune": CommandEntry(
        f"{_COMMANDS}.train:tune",
        "Fit the upper layers of the judge's model to the bank: hours on two cores, minutes on a GPU; then calibrate.",
    ),
    "calibrate": CommandEntry(
        f"{_COMMANDS}.train:calibrate",
        "Fit the judge's weights to graded answers and write them into the project.",
    ),
    "judge": CommandEntry(
        f"{_COMMANDS}.judge:judge",
        "Serve the judge's model for pages started with --judge-url; press Ctrl-C to stop it.",
    ),
    "runner": CommandEntry(
        f"{_COMMANDS}.runner:runner",
        "Run submitted code for pages started with --runner-url; press Ctrl-C to stop it.",
    ),
    "worker": CommandEntry(
        f"{_COMMANDS}.worker:worker",
        "Do the jobs that wait in a PostgreSQL database, until told to stop; press Ctrl-C for that.",
    ),
    "account": CommandEntry(
        f"{_COMMANDS}.account:account",
        "Make an account for `serve --auth-file`: asks for the password, and keeps only its hash.",
    ),
    "assign": CommandEntry(
        f"{_COMMANDS}.assign:assign",
        "Give the candidates of a mentor's group an assignment: an interview with a fixed agenda and a due time.",
    ),
    "assignments": CommandEntry(
        f"{_COMMANDS}.assign:assignments",
        "List a mentor's assignments, show how far each candidate is with one, or change one.",
    ),
    "stop": CommandEntry(f"{_COMMANDS}.machine:stop", "Stop the model server that an earlier command left running."),
    "data": CommandEntry(f"{_COMMANDS}.data:data", "Export, import, or delete your data."),
}
"""All commands, in the order in which ``--help`` lists them."""


class LazyGroup(TyperGroup):
    """A group that imports a command's module when the command is run, not when it is listed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns a command that can be listed but not run; ``None`` for an unknown name."""
        entry = COMMANDS.get(cmd_name)
        return typer.core.TyperCommand(cmd_name, help=entry.help) if entry else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Returns the name, the command itself, and the arguments that are left."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, load(name) if name is not None and listed is not None else listed, rest


def load(name: str) -> Any:
    """Imports a command.

    Args:
        name: one of ``COMMANDS``.

    Returns:
        The click command.

    """
    module, attribute = COMMANDS[name].target.split(":")
    found = getattr(importlib.import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name)(found)
        found = alone
    command = get_command(found)
    command.name = name
    return command


cli = typer.Typer(cls=LazyGroup, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@cli.callback()
def _root() -> None:
    """A mock interviewer for PyTorch and deep-learning jobs, on your own machine."""


def _log_to_stderr() -> None:
    """Have what is logged printed on stderr, from the level on that the environment names."""
    named = os.environ.get("INTERVIEWER_LOG", "WARNING").upper()
    known = logging.getLevelNamesMapping().get(named)
    level = logging.WARNING if known is None else known
    # Whoever asks for more wants to know what part of the program says it; a warning is for everybody.
    form = "%(name)s: %(message)s" if level < logging.WARNING else "%(message)s"
    logging.basicConfig(level=level, format=form, handlers=[ConsoleLog(err)])
    if known is None:
        sentence = f"INTERVIEWER_LOG is set to {named}, which is not a log level. Use DEBUG, INFO, WARNING, or ERROR."
        err.print(sentence, style="yellow", markup=False, highlight=False, soft_wrap=True)


def main() -> int:
    """Runs the command of ``sys.argv`` and turns errors into sentences.

    Returns:
        The exit status.

    """
    _log_to_stderr()
    make_private_files()
    try:
        status = cli(prog_name="python app.py", standalone_mode=False)
    except InterviewerError as error:
        err.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        return error.exit_status
    except typer.TyperException as error:
        # Pydantic, which checks the values, begins each of its sentences so.
        err.print(error.format_message().replace("Value error, ", ""), style="red", markup=False, highlight=False)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        err.print("Stopped. Finished work is kept; run the same command again to continue.")
        return 130
    return status if isinstance(status, int) else 0
