"""Which tests a run takes: all of them, or of those that are costly by number what the change touches and a sixth.

A test marked ``by_number`` is one of many alike (a task of the bank, a program against the sandbox). ``make test`` runs
those whose files changed, and of the rest a sixth that the number of commits chooses, so that six commits in a row
run all. ``make test-all`` (``pytest --full``) runs everything, tests marked ``full`` included. A test that is named on
the command line is run in any case.
"""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Sequence
from functools import cache

import pytest

from tests.locations import ROOT

PARTS = 6
"""Commits after which everything has been run."""

BASE_VARIABLE = "CHANGE_BASE"
"""Environment variable: the commit that the change begins at; else the change is the last commit."""


@cache
def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def this_part() -> int:
    """Returns the sixth that this commit runs, 0 to 5."""
    return int(_git("rev-list", "--count", "HEAD") or 0) % PARTS


def part_of(name: str) -> int:
    """Returns the sixth that a test belongs to."""
    return zlib.crc32(name.encode()) % PARTS


def _base() -> str:
    return os.environ.get(BASE_VARIABLE, "HEAD~1")


@cache
def changed() -> frozenset[str]:
    """Returns the files that the change touches, as paths from the root."""
    return frozenset(f"{_git('diff', '--name-only', _base())}\n{_git('diff', '--name-only')}".split("\n")) - {""}


def before(path: str) -> str:
    """Returns a file's text as it was where the change begins; empty where there was none."""
    return _git("show", f"{_base()}:{path}")


def touched(files: Sequence[str]) -> bool:
    """Returns whether the change touches one of the files, or a file below one of the folders."""
    return any(path == file or path.startswith(f"{file.rstrip('/')}/") for file in files for path in changed())


def is_run(name: str, files: Sequence[str]) -> bool:
    """Returns whether one of many tests alike is run now.

    Args:
        name: names it among them.
        files: files and folders that it tests, as paths from the root.

    """
    return part_of(name) == this_part() or touched(files)


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects what this run leaves out."""
    named = any("::" in argument for argument in config.args)
    if config.getoption("--full") or config.option.markexpr or config.option.keyword or named:
        return
    left_out = [item for item in items if item.get_closest_marker("full") or not _sampled(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _sampled(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("by_number")
    return marker is None or is_run(item.name, marker.args)
