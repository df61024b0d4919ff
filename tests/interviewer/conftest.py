"""What the tests of the flow share: an interview held out of their own ``BANK``, by a clock that they turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf, Watch


@pytest.fixture
def watch() -> Watch:
    """The time that it is in the test."""
    return Watch()


@pytest.fixture
def service(request: pytest.FixtureRequest, tmp_path: Path, watch: Watch) -> Iterator[InterviewService]:
    """Holds interviews out of the ``BANK`` of the test's file, marked at once, by ``watch``."""
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(request.module.BANK), KeywordGrader(), patience_s=None, clock=watch) as made,
    ):
        yield made
