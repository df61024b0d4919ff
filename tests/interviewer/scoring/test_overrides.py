"""What a mentor or teacher puts in the judge's place."""

from __future__ import annotations

import pytest

from interviewer.scoring.overrides import override, with_overrides
from interviewer.session.events import EVENT, MarkOverridden
from rubric.model import Verdict
from serving.errors import BadInputError
from tests.interviewer.report.sample_session import START, Telling, telling


def made(tell: Telling, asked: str, criterion: str, verdict: str = "met", by: str = "Ada", note: str = "") -> str:
    event = override(tell.state, asked, criterion, verdict, by=by, note=note, event_id="o1", at=START)
    assert isinstance(event, MarkOverridden)
    assert EVENT.validate_json(EVENT.dump_json(event)) == event
    return f"{event.asked_id} {event.criterion_id} {event.verdict} {event.by} {event.note}".strip()


def test_questions_and_points_go_by_id_or_by_number() -> None:
    assert made(telling(), "3", "2", note=" why ") == "q3 pinned met Ada why"
    assert made(telling(), "q3", "pinned", "contradicted", by=" Bo ") == "q3 pinned contradicted Bo"


@pytest.mark.parametrize(
    ("asked", "criterion", "verdict", "by", "says"),
    [
        ("9", "1", "met", "Ada", "No question 9"),
        ("3", "9", "met", "Ada", "no point 9"),
        ("3", "0", "met", "Ada", "no point 0"),
        ("3", "²", "met", "Ada", "no point ²"),
        ("3", "pinned", "unscored", "Ada", "cannot be unscored"),
        ("3", "pinned", "met", "  ", "A name has"),
        ("3", "pinned", "met", "x" * 201, "A name has"),
        ("4", "own", "met", "Ada", "has no mark yet"),
        ("5", "scale", "met", "Ada", "has no mark yet"),
    ],
)
def test_what_cannot_be_overridden_is_told(asked: str, criterion: str, verdict: str, by: str, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        made(telling(), asked, criterion, verdict, by)


def test_the_score_is_made_again_with_the_overriding_verdict() -> None:
    tell = telling()
    before = tell.state.asked[1]
    assert with_overrides(before) is before
    tell.override("q2", "average", Verdict.PARTIAL, "Ada")
    after = with_overrides(tell.state.asked[1])
    assert after.grades[0] == before.grades[0]
    assert after.grades[1].grade.score == pytest.approx((0.5 * 3 + 0.9 * 2 + 0.09 * 2) / 7, abs=1e-4)
    found = after.grades[1].grade.verdict("average")
    assert (found.verdict, found.sure, found.evidence) == (
        Verdict.PARTIAL,
        True,
        before.grades[1].grade.verdict("average").evidence,
    )


def test_an_unscored_point_gets_a_mark_and_the_question_a_score() -> None:
    tell = Telling()
    asked = telling().state.asked[2].question
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, "It waits."), [(Verdict.MET, 0.8, "It waits."), (Verdict.UNSCORED, None, "")])
    assert with_overrides(tell.state.asked[0]).grades[0].grade.score is None
    tell.override(q, "pinned", Verdict.MISSING, "Ada")
    assert with_overrides(tell.state.asked[0]).grades[0].grade.score == pytest.approx(0.8 * 2 / 3, abs=1e-4)
