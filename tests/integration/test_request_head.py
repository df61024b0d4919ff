"""What is said beside answers, read by the judge's states and the encoder together."""

from __future__ import annotations

import pytest

from interviewer.cli.container import Container, request_head
from interviewer.understanding import request_head as heads
from interviewer.understanding.fit_request_head import statements
from interviewer.understanding.request_head import NOTHING, RequestHead
from tests.interviewer.understanding.test_request_head import IN_PASSING, closing_rows

EVERY = 3
"""Every how manieth row is read."""


@pytest.fixture
def head(container: Container, monkeypatch: pytest.MonkeyPatch) -> RequestHead:
    """Reads by the states however long they take: here others use the server too."""
    monkeypatch.setattr(heads, "WAITS_S", 60.0)
    return request_head(container)


def test_new_wordings_are_understood(head: RequestHead) -> None:
    """Of all 169, 146 are read rightly, 14 as something else, and 9 as a part of the answer."""
    rows = closing_rows()[::EVERY]
    read = [(kind, head.beside(text)) for _, text, kind in rows]
    requests = [(kind, found) for kind, found in read if kind != NOTHING]
    right_ones = [found for kind, found in requests if found is not None and found.value == kind]
    others = [pair for pair in requests if pair[1] is not None and pair[1].value != pair[0]]
    assert len(requests) >= 50
    assert len(right_ones) / len(requests) >= 0.8, [pair for pair in requests if pair[1] != pair[0]]
    assert len(others) / len(requests) <= 0.15, others


def test_statements_are_hardly_ever_read_as_said_beside_answers(head: RequestHead) -> None:
    said = statements(1)[:: EVERY * 12]
    assert len(said) >= 50
    taken = [text for text in said if head.beside(text) in IN_PASSING]
    assert len(taken) <= len(said) / 50, taken
