from __future__ import annotations

import pytest

from interviewer.engine.passages.passages import Passage
from knowledge.model import Question
from tests.benchmarks.own_questions import Asked, asked, figures


def test_most_questions_have_an_answer_that_is_there_and_a_third_has_none() -> None:
    given = list(asked())
    assert len(given) > 800
    assert 0.25 < sum(not each.answers for each in given) / len(given) < 0.45


def test_what_is_told_is_counted() -> None:
    entry = next(asked()).on
    given = [
        Asked("one", entry, ("It is one.",)),
        Asked("two", entry, ("It is two.",)),
        Asked("three", entry, ()),
        Asked("four", entry, ()),
    ]

    class Passages:
        def on(self, text: str, asked: list[Question]) -> Passage | None:
            return None if text == "four" else Passage("So it is one. It is one.", "")

    assert figures(given, Passages()) == pytest.approx((0.5, 0.5, 0.5))  # type: ignore[arg-type]
