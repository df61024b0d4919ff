"""Where everything lies that the product keeps on the person's machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from serving.errors import StorageError

HOME_VARIABLE = "INTERVIEWER_HOME"
"""Environment variable that moves everything to another folder."""


def home() -> Path:
    """The folder of all data; made when it is missing.

    Raises:
        StorageError: it cannot be made.
    """
    chosen = os.environ.get(HOME_VARIABLE)
    folder = Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("torch-interviewer"))
    return made(folder)


def made(folder: Path) -> Path:
    """The folder itself, made with its parents when it is missing.

    Raises:
        StorageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be made: {error.strerror}.",
            hint=f"Free some space, or set {HOME_VARIABLE} to a folder that you can write to.",
        ) from error
    return folder


def models() -> Path:
    """Downloaded and converted models."""
    return made(home() / "models")


def index() -> Path:
    """The question index."""
    return made(home() / "index")


def logs() -> Path:
    """Log files of the servers."""
    return made(home() / "logs")


def run() -> Path:
    """State files of the servers that run now."""
    return made(home() / "run")


def journal() -> Path:
    """The journal of all interviews."""
    return home() / "journal.db"
