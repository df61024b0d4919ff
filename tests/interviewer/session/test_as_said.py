"""The turns of a question stand in the order in which they were said."""

from __future__ import annotations

from interviewer.session.events import AnswerGiven, ClarificationGiven
from interviewer.session.queries import as_said
from tests.interviewer.builders import at


def _reply(name: str) -> ClarificationGiven:
    return ClarificationGiven(id=name, at=at(2), asked_id="q", words="How much time is left?", said="A minute.")


def _answer(name: str) -> AnswerGiven:
    return AnswerGiven(id=name, at=at(2), asked_id="q", text="It copies.")


def test_what_was_asked_at_the_end_of_an_answer_stands_behind_it() -> None:
    turns = (_reply("a1:time"), _answer("a1"), _answer("a2"))
    assert [turn.id for turn in as_said(turns)] == ["a1", "a1:time", "a2"]


def test_what_was_asked_before_an_answer_stays_before_it() -> None:
    for names in (("c1", "a1"), ("a0:time", "a1"), ("a1", "a1:time")):
        turns = tuple(_reply(name) if name not in {"a1"} else _answer(name) for name in names)
        assert [turn.id for turn in as_said(turns)] == list(names)
