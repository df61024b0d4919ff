"""Other versions of the program: copies of this one with another migration, another event, and another field."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from interviewer.storage.schema import HEAD
from tests.locations import ROOT

NEXT, AFTER_NEXT = f"{int(HEAD) + 1:04}", f"{int(HEAD) + 2:04}"

COMPATIBLE = f'''
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"
branch_labels = None
depends_on = None

compatible_from = "{HEAD}"

NAMED = "(SELECT substring(current_setting('interviewer.owner', true) FROM '^=(.*)$'))"


def upgrade():
    op.add_column("events", sa.Column("mood", sa.Text, nullable=True))
    op.create_index("events_by_time", "events", ["owner", "at"])
    op.create_table("moods", sa.Column("owner", sa.Text, nullable=False), sa.Column("mood", sa.Text))
    op.execute(f"CREATE POLICY own_rows ON moods USING (owner = {{NAMED}}) WITH CHECK (owner = {{NAMED}})")
    op.execute("ALTER TABLE moods ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE moods FORCE ROW LEVEL SECURITY")
'''

INCOMPATIBLE = f'''
from alembic import op

revision = "{AFTER_NEXT}"
down_revision = "{NEXT}"
branch_labels = None
depends_on = None

compatible_from = "{AFTER_NEXT}"


def upgrade():
    op.drop_column("events", "mood")
'''

_EVENT = '''
class FlagRaised(_Event):
    """The person marked a moment."""

    type: Literal["flag_raised"] = "flag_raised"
    why: str


EndReason ='''


def newer_program(folder: Path, *migrations: str) -> Path:
    """Makes a version of the program that has more migrations, an event more, and a field more.

    Args:
        folder: does not exist yet; it gets the program.
        migrations: modules, the first of which follows on ours.

    """
    package = folder / "interviewer"
    package.mkdir(parents=True)
    for name in ("rubric", "knowledge", "serving", "tests", "deploy", "app.py", "models.lock"):
        (folder / name).symlink_to(ROOT / name)
    for each in (ROOT / "interviewer").iterdir():
        if each.name in {"session", "storage"}:
            shutil.copytree(each, package / each.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif each.name != "__pycache__":
            (package / each.name).symlink_to(each)
    for number, text in enumerate(migrations, int(HEAD) + 1):
        (package / f"storage/migrations/versions/v{number:04}_more.py").write_text(text)
    file = package / "session/events.py"
    text = file.read_text()
    for before, after in (
        ("\nEndReason =", _EVENT),
        ("    | StoryForgotten\n", "    | StoryForgotten\n    | FlagRaised\n"),
        ('    type: Literal["notes_written"]', '    shared: bool = False\n    type: Literal["notes_written"]'),
    ):
        assert text.count(before) == 1
        text = text.replace(before, after)
    file.write_text(text)
    return folder


class RunningVersion:
    """A version of the program that holds interviews in a database (``tests.integration.version_child``).

    Args:
        program: the folder that it is in.
        url: the database.

    """

    def __init__(self, program: Path, url: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.version_child", url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=program,
            env={**os.environ, "PYTHONPATH": str(program)},
        )

    def ask(self, do: str, owner: str = "", **given: Any) -> None:
        """Have something done; ``reply`` tells what came of it."""
        assert self._process.stdin is not None
        print(json.dumps({"do": do, "owner": owner, **given}), file=self._process.stdin, flush=True)

    def reply(self) -> dict[str, Any]:
        """What came of the request before."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"ended with status {self._process.wait()}"
        told: dict[str, Any] = json.loads(line)
        return told

    def do(self, do: str, owner: str = "", **given: Any) -> Any:
        """Have something done that succeeds."""
        self.ask(do, owner, **given)
        told = self.reply()
        assert "error" not in told, told
        return told["told"]

    def refusal(self, do: str, owner: str = "", **given: Any) -> str:
        """Why something is refused; empty where it is not."""
        self.ask(do, owner, **given)
        return str(self.reply().get("error", ""))

    def close(self) -> None:
        """End it, as a page is ended by a kill."""
        self._process.kill()
        self._process.communicate()
