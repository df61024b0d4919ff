"""Where everything lies that the product keeps on the person's machine."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import platformdirs

from serving.errors import StorageError
from serving.private_files import withdraw

HOME_VARIABLE = "INTERVIEWER_HOME"
"""Environment variable that moves everything to another folder."""

MODELS_VARIABLE = "INTERVIEWER_MODELS"
"""Environment variable that moves the models, which are big, to another folder."""

PROFILES = "profiles"
"""Folder in the home of a shared machine; the home of each person who logs in lies in there."""


def home() -> Path:
    """The folder of all data; made when it is missing. What others may read of it is closed to them.

    Raises:
        StorageError: it cannot be made.
    """
    chosen = os.environ.get(HOME_VARIABLE)
    folder = Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("torch-interviewer"))
    _closed_once(made(folder).absolute())
    return folder


@cache
def _closed_once(folder: Path) -> None:
    withdraw(folder)


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
    """Downloaded and converted models; they can be shared by several homes."""
    chosen = os.environ.get(MODELS_VARIABLE)
    return made(Path(chosen).expanduser() if chosen else home() / "models")


def run() -> Path:
    """State files of the servers that run now; beside the models, since who shares these shares the servers."""
    return made(models() / "run")


def logs() -> Path:
    """Log files of the servers."""
    return made(models() / "logs")


def vectors() -> Path:
    """Vectors of the bank, which all homes have in common."""
    return models() / "vectors"


def index() -> Path:
    """The question index."""
    return made(home() / "index")


def documents() -> Path:
    """Documents that the person gave through the page."""
    return made(home() / "documents")


def journal() -> Path:
    """The journal of all interviews."""
    return home() / "journal.db"


def profiles() -> Path:
    """Where people who log in on a shared machine have their data, each in a folder laid out like ``home``."""
    return home() / PROFILES


def shared_home(folder: Path) -> Path:
    """The home below which the people of a shared machine have their folders, given it or one of these folders."""
    return folder.parent.parent if folder.parent.name == PROFILES else folder


def owner(folder: Path) -> str:
    """Whose data a home is: the name of somebody who logs in, empty for the home of whoever started the program."""
    return folder.name if folder.parent.name == PROFILES else ""


def judges() -> Path:
    """What was measured of models that judge by prompt."""
    return home() / "judges"
