from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interviewer.report.analysis.quotes import opening
from interviewer.session.events import AnswerGiven


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("Let me think for a moment. The graph keeps it. And more.", "The graph keeps it."),
        ("Okay. So, let me see. The graph keeps it.", "The graph keeps it."),
        ("Well, the graph keeps it. And more.", "Well, the graph keeps it."),
        ("So it is a leaf. And more.", "So it is a leaf."),
        ("Let me think.", "Let me think."),
        ("Okay. Let me think.", "Okay."),
        ("  The graph keeps it", "The graph keeps it"),
        ("word " * 100, ("word " * 40).strip()),
    ],
)
def test_an_answer_begins_where_it_says_something(said: str, quoted: str) -> None:
    answer = AnswerGiven(id="a", at=datetime(2026, 3, 2, tzinfo=UTC), asked_id="q", text=said)
    found = opening(answer)
    assert found is not None
    assert found.text == quoted
    assert said[found.start : found.end] == quoted


def test_a_blank_answer_has_no_beginning() -> None:
    assert opening(AnswerGiven(id="a", at=datetime(2026, 3, 2, tzinfo=UTC), asked_id="q", text="  ")) is None
