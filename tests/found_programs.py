"""A folder of what a program that a test starts may find on its path."""

from __future__ import annotations

from pathlib import Path

from deploy.programs import program


def found_programs(folder: Path, *more: str) -> Path:
    """Make the folder below another one.

    Without espeak-ng: sounds that are made ahead would take a core for minutes.

    Args:
        folder: where.
        more: programs beside those that a page uses.

    """
    found = folder / "bin"
    found.mkdir()
    for name in ("lscpu", "bwrap", "sh", "uname", *more):
        if place := program(name):
            (found / name).symlink_to(place)
    return found
