from __future__ import annotations

import json
import subprocess
import sys

import pytest

from interviewer.cli.main import COMMANDS
from tests.integration.golden import FILE, LINES, fresh_home, recorded, said
from tests.locations import ROOT


def test_every_command_offers_says_and_ends_with_what_it_did_before() -> None:
    golden, now = json.loads(FILE.read_text()), recorded()
    assert list(now) == list(golden)
    for line, told in golden.items():
        assert now[line] == told, f"{line}: where it is meant, python -m tests.integration.golden"


def test_every_command_that_needs_no_model_is_among_them() -> None:
    assert set(COMMANDS) - {line[0] for line in LINES} == {"doctor", "prepare", "adapt", "tune"}


@pytest.mark.parametrize("line", [("sessions", "--json"), ("report", "nothing")])
def test_the_file_tells_what_a_shell_sees(line: tuple[str, ...]) -> None:
    with fresh_home() as folder:
        wanted = said(line, folder)
        done = subprocess.run([sys.executable, ROOT / "app.py", *line], capture_output=True, text=True, check=False)
    told = {"status": done.returncode, "out": done.stdout.splitlines(), "err": " ".join(done.stderr.split())}
    assert told == wanted
