"""Whether a follow-up or a hint helped, as the transcript tells it."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.scoring.outcomes import CriterionOutcome
from interviewer.session.events import AnswerDeclined, DeclineReason
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from rubric.model import Verdict
from tests.interviewer.report.sample_session import LEAF, Telling, telling

MISSING, PARTIAL = Verdict.MISSING, Verdict.PARTIAL


def test_each_follow_up_and_hint_tells_whether_it_helped() -> None:
    found = [
        [(turn.outcome, turn.gained) for turn in asked.transcript if turn.outcome]
        for asked in findings("s1", telling().state).questions
    ]
    assert found[0] == [(CriterionOutcome.HELPED, (3,))]
    assert found[1] == [(CriterionOutcome.DID_NOT_HELP, ())]
    assert found[2] == [(CriterionOutcome.UNKNOWN, ())]


def test_help_that_was_not_answered_or_not_graded_says_so() -> None:
    tell = Telling(Plan(follow_ups=2))
    q = tell.ask(LEAF)
    a = tell.answer(q, "Leaves only.")
    tell.grade(q, a, [(PARTIAL, 0.5, "Leaves only."), (MISSING, 0.1, ""), (MISSING, 0.1, ""), (MISSING, 0.1, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "freed", "And the others?")
    tell.answer(q, "They are freed.", f)
    tell.hint(q, "Think of memory.")
    (asked,) = findings("s1", tell.state).questions
    assert [turn.outcome for turn in asked.transcript if turn.outcome] == [
        CriterionOutcome.UNKNOWN,
        CriterionOutcome.UNANSWERED,
    ]


@pytest.mark.parametrize(
    ("reason", "told"), [(DeclineReason.UNKNOWN, [CriterionOutcome.UNANSWERED]), (DeclineReason.SAID, [])]
)
def test_who_said_it_before_is_not_told_that_they_did_not_answer(
    reason: DeclineReason, told: list[CriterionOutcome]
) -> None:
    tell = Telling(Plan(follow_ups=2))
    q = tell.ask(LEAF)
    tell.answer(q, "Leaves only.")
    f = tell.follow_up(q, FollowUpKind.MISSING, "freed", "And the others?")
    tell._add(AnswerDeclined, "no", asked_id=q, follow_up_id=f, reason=reason, words="I said so.", said="All right.")
    (asked,) = findings("s1", tell.state).questions
    assert [turn.outcome for turn in asked.transcript if turn.outcome] == told
