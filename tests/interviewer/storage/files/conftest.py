"""A store of every kind there is, each empty."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from interviewer.storage.files.store import FileStore, open_store
from tests.s3 import S3Server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    for name, value in s3_server.variables.items():
        monkeypatch.setenv(name, value)
    return s3_server


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
