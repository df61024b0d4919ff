"""What a person says they do not know is kept with the point that they were asked for."""

from __future__ import annotations

import pytest

from interviewer.scoring.own_gaps import own_gaps
from interviewer.session.events import AnswerDeclined, DeclineReason
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.model import Kind
from tests.interviewer.report.sample_session import Telling, question

POINTS = [("a", "The loop waits for data.", 1.0), ("b", "Pinned memory speeds up the copies.", 1.0)]
UNKNOWN = "Well. I do not know that part well. I would guess that it copies."


def told(tell: Telling) -> list[tuple[str, str, bool]]:
    (asked,) = tell.state.asked
    texts = {answer.id: answer.text for answer in asked.answers}
    return [
        (own.criterion_id, texts[own.answer_id][slice(*own.span)] if own.answer_id else own.asked, own.left)
        for own in own_gaps(asked)
    ]


def test_it_is_said_of_the_point_that_was_asked_for() -> None:
    tell = Telling()
    q = tell.ask(question("q", POINTS))
    tell.answer(q, "The loop waits.")
    tell.answer(q, UNKNOWN, tell.follow_up(q, FollowUpKind.MISSING, "b", "What does pinned memory do?"))
    assert told(tell) == [("b", "I do not know that part well.", False)]


def test_what_goes_beyond_the_points_is_said_of_none() -> None:
    tell = Telling()
    q = tell.ask(question("q", POINTS))
    tell.answer(q, UNKNOWN)
    tell.answer(q, UNKNOWN, tell.follow_up(q, FollowUpKind.DEPTH, "b", "One level deeper: why?"))
    assert [name for name, *_ in told(tell)] == ["", ""]


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (DeclineReason.UNKNOWN, [("b", "What does pinned memory do?", False)]),
        (DeclineReason.SKIPPED, [("b", "What does pinned memory do?", True)]),
        (DeclineReason.SAID, []),
    ],
)
def test_a_follow_up_that_is_left_is_told_apart_by_its_reason(
    reason: DeclineReason, expected: list[tuple[str, str, bool]]
) -> None:
    tell = Telling()
    q = tell.ask(question("q", POINTS))
    tell.answer(q, "The loop waits.")
    asked = tell.follow_up(q, FollowUpKind.MISSING, "b", "What does pinned memory do?")
    tell._add(AnswerDeclined, "d", asked_id=q, follow_up_id=asked, reason=reason, words="Pass.", said="Fine.")
    assert told(tell) == expected


def test_what_was_not_known_then_is_part_of_a_story() -> None:
    tell = Telling()
    tell.answer(tell.ask(question("q", POINTS, kind=Kind.BEHAVIORAL)), UNKNOWN)
    assert told(tell) == []
