"""What is graded of an interview: all that was said, and what earlier grades tell of where a point may stand."""

from __future__ import annotations

import pytest

from interviewer.scoring.grade_requests import grade_request
from interviewer.session.follow_up_kinds import FollowUpKind
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

FIRST, SECOND, THIRD = "Each rank keeps a shard.", "The all-gather comes before the forward.", "That's all."


@pytest.mark.parametrize(
    ("credits_before", "until"),
    [
        ((0.1, 0.2), len(f"{FIRST}\n\n{SECOND}")),
        ((0.1, 0.8), len(FIRST)),
        # What was credited once may have been made there, whatever later grades hold of it.
        ((0.8, 0.1), None),
        ((0.4, 0.1), None),
    ],
)
def test_a_point_can_only_stand_behind_what_earned_no_credit_at_first(
    credits_before: tuple[float, float], until: int | None
) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0)]))
    follow_up = None
    for said, credit in zip((FIRST, SECOND), credits_before, strict=True):
        answer = tell.answer(q, said, follow_up)
        verdict = Verdict.MET if credit > 0.5 else Verdict.PARTIAL if credit >= 0.3 else Verdict.MISSING
        tell.grade(q, answer, [(verdict, credit, said if credit >= 0.3 else "")])
        follow_up = tell.follow_up(q, FollowUpKind.MISSING, "point", "And then?")
    last = tell.answer(q, THIRD, follow_up)
    asked = tell.state.asked[0]
    request = grade_request(asked, last)
    assert request.answer == f"{FIRST}\n\n{SECOND}\n\n{THIRD}"
    assert request.denied == (() if until is None else (("point", until),))
    assert grade_request(asked, asked.answers[0].id).denied == ()
