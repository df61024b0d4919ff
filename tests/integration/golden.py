"""What every command offers, and what it says and ends with where it needs no model.

``python -m tests.integration.golden`` writes ``golden_commands.json`` anew; its difference to the one before is what
people would notice.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from interviewer.cli.main import COMMANDS, load
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from tests.integration.commands import in_process
from tests.interviewer.report.sample_session import telling

FILE = Path(__file__).with_name("golden_commands.json")

LINES: tuple[tuple[str, ...], ...] = (
    ("nonsense",),
    ("sessions", "--nonsense"),
    ("sessions",),
    ("sessions", "--json"),
    ("sessions", "--assessments"),
    ("loop", "template"),
    ("loop", "template", "new graduate"),
    ("loop", "template", "nothing"),
    ("loop", "start", "--file", "missing.json"),
    ("loop", "start", "--subject", "x", "--paper", "y"),
    ("loop", "next"),
    ("loop", "show", "nothing"),
    ("loop", "debrief"),
    ("stories",),
    ("stories", "--json"),
    ("stories", "nothing"),
    ("stories", "--delete"),
    ("report",),
    ("report", "nothing"),
    ("report", "--all"),
    ("report", "told", "--all"),
    ("report", "told", "--format", "nonsense"),
    ("export-study", "told"),
    ("export-study", "nothing", "--anki", "study.apkg"),
    ("override", "nothing", "1", "1", "met", "--by", "Ada"),
    ("override", "told", "1", "nothing", "met", "--by", "Ada"),
    ("override", "told", "3", "pinned", "met"),
    ("override", "told", "3", "pinned", "met", "--by", "Ada"),
    ("dispute", "nothing", "1", "1"),
    ("compare", "told"),
    ("compare", "told", "nothing"),
    ("group", "missing.json"),
    ("grade", "--input", "missing.jsonl", "--output", "grades.jsonl"),
    ("regrade", "nothing"),
    ("regrade",),
    ("regrade", "told", "--all"),
    ("regrade", "told", "--queue"),
    ("regrade", "--all", "--wait"),
    ("regrade", "--all", "--queue"),
    ("regrade", "--all", "--queue", "--judge-url", "http://127.0.0.1:8100"),
    ("regrade", "--all", "--queue", "--ray", "auto"),
    ("regrade", "--all", "--ray", "here"),
    ("regrade", "--all", "--again"),
    ("worker",),
    ("verify-code", "--question", "no-such-question", "--file", "missing.py"),
    ("verify-code", "--question", "training-focal-loss", "--file", "missing.py"),
    ("transcribe", "missing.wav"),
    ("ingest", "missing.md"),
    ("search", "autograd", "-k", "0"),
    ("interview", "--level", "nonsense"),
    ("interview", "--answers", "missing.jsonl"),
    ("interview", "--minutes", "-1"),
    ("serve", "--port", "99999"),
    ("calibrate", "--data", "missing"),
    ("judge", "--host", "0.0.0.0"),
    ("runner", "--host", "0.0.0.0"),
    ("account",),
    ("account", "Ada"),
    ("account", "ada", "--role", "mentor"),
    ("account", "--auth-file", "missing"),
    ("assign", "Leaves"),
    ("assign", "Leaves", "--due", "2030-01-01 09:00"),
    ("assign", "Leaves", "--due", "2030-01-01 09:00", "--by", "ada"),
    ("assign", "Leaves", "--due", "2030-01-01 09:00", "--by", "ada", "--agenda", "missing", "--topic", "autograd"),
    ("assignments",),
    ("assignments", "--close"),
    ("assignments", "nothing", "--close", "--withdraw"),
    ("assignments", "--auth-file", "missing"),
    ("interview", "--assignment", "nothing"),
    ("stop",),
    ("data", "delete", "nothing"),
    ("data", "import", "missing.zip"),
    ("data", "export", "no/folder/x.zip"),
)
"""Command lines, given one after the other to one home with the sample interview ``told``."""


def helped() -> Iterator[tuple[str, ...]]:
    """Yields the command line of every help text."""
    yield ("--help",)
    for name in COMMANDS:
        yield (name, "--help")
        for below in getattr(load(name), "commands", {}):
            yield (name, below, "--help")


def said(arguments: Sequence[str], folder: Path) -> dict[str, Any]:
    """Returns a command line's exit status, output and messages; the folder in which it runs is called FOLDER."""
    status, out, err = in_process(*arguments)
    lines = [line.rstrip() for line in out.replace(str(folder), "FOLDER").splitlines()]
    return {"status": status, "out": lines, "err": err.replace(str(folder), "FOLDER")}


@contextmanager
def fresh_home() -> Iterator[Path]:
    """A folder to be in, with a home that holds the sample interview."""
    with (
        tempfile.TemporaryDirectory() as made,
        mock.patch.dict(
            os.environ,
            {paths.HOME_VARIABLE: f"{made}/home", paths.MODELS_VARIABLE: f"{made}/models", "COLUMNS": "100"},
        ),
    ):
        (Path(made) / "home").mkdir()
        with Journal(paths.journal()) as journal:
            for event in telling().events:
                journal.append("told", event)
        with chdir(made):
            yield Path(made)


def recorded() -> dict[str, Any]:
    """Returns all of it, as the file holds it: for each command line what came of it."""
    with fresh_home() as folder:
        return {" ".join(line): said(line, folder) for line in (*helped(), *LINES)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(recorded(), indent=2, ensure_ascii=False) + "\n")
