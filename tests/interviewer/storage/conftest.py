"""Journals of every kind that there is, each empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from interviewer.session.journal import EventJournal
from interviewer.storage.registry import JOURNALS, open_journal

URLS: Mapping[str, Callable[[pytest.FixtureRequest], str]] = {
    "sqlite": lambda request: f"sqlite:///{request.getfixturevalue('tmp_path') / 'journal.db'}",
    "postgresql": lambda request: request.getfixturevalue("postgres").database(),
}
"""A URL of an empty journal, by scheme."""


@pytest.fixture(params=JOURNALS)
def url(request: pytest.FixtureRequest) -> str:
    return URLS[request.param](request)


@pytest.fixture
def journal(url: str) -> Iterator[EventJournal]:
    with open_journal(url) as made:
        yield made
