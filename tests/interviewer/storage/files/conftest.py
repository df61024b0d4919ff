"""A store of every kind there is, each empty."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from interviewer.storage.files.store import FileStore, open_store


def _folder(request: pytest.FixtureRequest) -> str:
    made: Path = request.getfixturevalue("tmp_path") / "shared"
    made.mkdir()
    return str(made)


URLS: Mapping[str, Callable[[pytest.FixtureRequest], str]] = {
    "folder": _folder,
    "s3": lambda request: request.getfixturevalue("s3").bucket(),
}
"""The URL of an empty store, by kind."""


@pytest.fixture(params=URLS)
def url(request: pytest.FixtureRequest) -> str:
    return URLS[request.param](request)


@pytest.fixture
def store(url: str) -> FileStore:
    return open_store(url, os.environ)
