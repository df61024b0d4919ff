"""With how much help a point was made: told by where its words stand, and not by when a mark changed."""

from __future__ import annotations

import pytest

from interviewer.scoring.assistance import outcomes, reached, said_alone, unaided_grade
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.code_proof import PROVEN
from interviewer.session.events import CodeRan, QuestionReturned, QuestionSkipped
from interviewer.session.follow_up_kinds import FollowUpKind
from rubric.coding.result import CodeResult, CodeStatus
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED
UNAIDED, FOLLOWED = AssistanceLevel.UNAIDED, AssistanceLevel.AFTER_FOLLOW_UP
FIRST, SECOND = "Each rank keeps a shard.", "The all-gather comes before the forward."

Mark = tuple[Verdict, bool, str]
"""A verdict, whether it is sure, and the words that it rests on."""


def reached_with(*marks: Mark) -> AssistanceLevel:
    """How a point was reached that has these marks: after the question, and after a follow-up each."""
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0)]))
    follow_up = None
    for number, (verdict, sure, words) in enumerate(marks):
        answer = tell.answer(q, FIRST if number == 0 else f"{SECOND} That is answer {number}.", follow_up)
        credit = {MET: 0.9, PARTIAL: 0.5}.get(verdict, 0.0)
        tell.grade(q, answer, [(verdict, credit, words)], unsure=() if sure else ("point",))
        follow_up = tell.follow_up(q, FollowUpKind.MISSING, "point", f"And {number}?")
    return reached(tell.state.asked[0], "point")


@pytest.mark.parametrize(
    ("marks", "level"),
    [
        # Said in full at once, and seen by the judge only later.
        ([(MISSING, False, ""), (MET, True, FIRST)], UNAIDED),
        ([(CONTRADICTED, False, FIRST), (MET, False, FIRST)], UNAIDED),
        ([(PARTIAL, False, FIRST), (PARTIAL, False, FIRST), (MET, True, FIRST)], UNAIDED),
        # Called met before it was said.
        ([(MET, False, FIRST), (MET, True, SECOND)], FOLLOWED),
        ([(MET, False, FIRST), (MET, False, SECOND)], FOLLOWED),
        # Made, and said again later.
        ([(MET, True, FIRST), (MET, True, SECOND)], UNAIDED),
        # Surely not made at first, whatever words of then are named as well.
        ([(MISSING, True, ""), (MET, True, SECOND)], FOLLOWED),
        ([(CONTRADICTED, True, FIRST), (MET, True, SECOND)], FOLLOWED),
        ([(PARTIAL, True, FIRST), (MET, True, FIRST)], FOLLOWED),
        ([(MET, True, FIRST)], UNAIDED),
    ],
)
def test_help_is_told_by_the_answer_that_the_words_stand_in(marks: list[Mark], level: AssistanceLevel) -> None:
    assert reached_with(*marks) is level


def test_a_hint_helps_only_what_was_said_after_it() -> None:
    for words, level in ((FIRST, UNAIDED), (SECOND, AssistanceLevel.AFTER_HINT)):
        tell = Telling()
        q = tell.ask(question("q", [("point", "A point.", 1.0)]))
        tell.grade(q, tell.answer(q, FIRST), [(MISSING, 0.1, "")], unsure=("point",))
        tell.hint(q, "Think of the shards.")
        tell.grade(q, tell.answer(q, SECOND), [(MET, 0.9, words)])
        assert reached(tell.state.asked[0], "point") is level


@pytest.mark.parametrize(
    ("mark", "outcome"),
    [
        ((MET, True, SECOND), (CriterionOutcome.HELPED, ("point",))),
        ((MET, False, SECOND), (CriterionOutcome.UNKNOWN, ())),
        ((MISSING, False, ""), (CriterionOutcome.DID_NOT_HELP, ())),
    ],
)
def test_a_follow_up_is_said_to_have_helped_only_where_the_better_mark_is_sure(
    mark: Mark, outcome: tuple[CriterionOutcome, tuple[str, ...]]
) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0)]))
    tell.grade(q, tell.answer(q, FIRST), [(MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "point", "And then?")
    verdict, sure, words = mark
    answer = tell.answer(q, SECOND, follow_up)
    tell.grade(q, answer, [(verdict, 0.9 if verdict is MET else 0.1, words)], unsure=() if sure else ("point",))
    assert outcomes(tell.state.asked[0]) == {follow_up: outcome}


def test_a_follow_up_that_is_answered_after_the_question_was_left_was_answered() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0)]))
    tell.grade(q, tell.answer(q, FIRST), [(MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "point", "And then?")
    tell._add(QuestionSkipped, "left", asked_id=q, later=True)
    tell._add(QuestionReturned, "again", asked_id=q, said="Back to it.", last_word=False)
    left = outcomes(tell.state.asked[0])
    tell.grade(q, tell.answer(q, SECOND, follow_up), [(MET, 0.9, SECOND)])
    # The whole question was asked again, so nobody knows what helped.
    assert left == {follow_up: (CriterionOutcome.UNANSWERED, ())}
    assert outcomes(tell.state.asked[0]) == {follow_up: (CriterionOutcome.UNKNOWN, ())}


@pytest.mark.parametrize("passes_at_once", [True, False])
def test_what_the_code_proves_was_made_when_it_first_passed(*, passes_at_once: bool) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0)]))

    def submit(status: CodeStatus, name: str) -> None:
        tell._add(CodeRan, name, asked_id=q, source="x = 1", submitted=True, result=CodeResult(status=status))

    submit(CodeStatus.PASSED if passes_at_once else CodeStatus.MISMATCH, "first")
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "point", "And why?")
    submit(CodeStatus.PASSED, "second")
    tell.grade(q, tell.answer(q, FIRST, follow_up), [(MET, 1.0, FIRST)])
    graded = tell.events[-1]
    verdicts = tuple(each.model_copy(update={"reason": PROVEN}) for each in graded.grade.criteria)
    tell.events[-1] = graded.model_copy(update={"grade": graded.grade.model_copy(update={"criteria": verdicts})})
    assert reached(tell.state.asked[0], "point") is (UNAIDED if passes_at_once else FOLLOWED)


def drilled(*, hint_on_it: bool = False) -> Telling:
    """A point that is made in reply to a follow-up on another one, after nothing was said at first."""
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0), ("other", "Another point.", 1.0)]))
    tell.grade(q, tell.answer(q, "Which one do you mean?"), [(MISSING, 0.1, ""), (MISSING, 0.2, "")])
    if hint_on_it:
        tell.hint(q, "Think of the shards.")
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "other", "And the other?")
    tell.grade(q, tell.answer(q, f"{FIRST} {SECOND}", follow_up), [(MET, 0.9, FIRST), (MET, 0.8, SECOND)])
    return tell


def test_what_is_said_in_reply_to_a_follow_up_on_another_point_is_unaided() -> None:
    (asked,) = drilled().state.asked
    assert reached(asked, "point") is UNAIDED
    assert reached(asked, "other") is FOLLOWED
    alone = unaided_grade(asked)
    assert alone is not None
    assert [each.credit for each in alone.criteria] == [0.9, 0.2]
    assert alone.score == pytest.approx(0.55)


def test_a_hint_on_the_question_helps_with_every_point_and_one_on_a_follow_up_with_its_own() -> None:
    (asked,) = drilled(hint_on_it=True).state.asked
    assert reached(asked, "point") is AssistanceLevel.AFTER_HINT
    tell = drilled()
    tell.follow_up("q1", FollowUpKind.MISSING, "other", "And what more?")
    tell.hint("q1", "Think of the shards.")
    last = tell.answer("q1", "Each of them.")
    (asked,) = tell.state.asked
    assert last in said_alone(asked, "point")
    assert last not in said_alone(asked, "other")


def test_where_every_point_was_helped_with_first_nothing_is_unaided() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("point", "A point.", 1.0)]))
    tell.hint(q, "Think of the shards.")
    tell.grade(q, tell.answer(q, FIRST), [(MET, 0.9, FIRST)])
    assert unaided_grade(tell.state.asked[0]) is None
