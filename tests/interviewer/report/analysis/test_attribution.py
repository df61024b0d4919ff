"""What the report says of help is so, or is not said."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import common
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.question import CriterionFinding, TurnKind
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.events import AsideTaken, CodeRan
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.understanding.intent import Intent
from knowledge.bank.parser import load_bank
from rubric.coding.result import CodeResult, CodeStatus
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

MET, MISSING, PARTIAL = Verdict.MET, Verdict.MISSING, Verdict.PARTIAL
KERNELS = "Kernels with a fixed order of reduction for each row, whatever the batch, make the results equal."
SPEED = "It costs speed, because kernels can no longer be chosen for the shape."
VAGUE = "The order of the sums depends on the batch."
PRECISE = "You take kernels with one fixed order of reduction for each row, so the results are equal."
SLOW = "That costs speed."


def asked(first: str = VAGUE) -> tuple[Telling, str, str]:
    tell = Telling()
    q = tell.ask(question("q", [("kernels", KERNELS, 1.0), ("speed", SPEED, 1.0)]))
    return tell, q, tell.answer(q, first)


def found(tell: Telling, name: str = "kernels") -> CriterionFinding:
    criteria = findings("s1", tell.state).questions[0].criteria
    return next(each for each in criteria if each.id == name)


def helped(tell: Telling) -> list[str]:
    turns = findings("s1", tell.state).questions[0].transcript
    return [common.outcome(turn) for turn in turns if turn.outcome and common.outcome(turn)]


def test_a_point_made_in_reply_to_a_follow_up_on_another_is_not_called_made_without_help() -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "speed", "What do you pay for it?")
    tell.grade(q, tell.answer(q, f"{PRECISE} {SLOW}", follow_up), [(MET, 0.9, PRECISE), (MET, 0.9, SLOW)])
    assert found(tell).reached is AssistanceLevel.LATER
    assert common.meaning(found(tell)) == "you made this point in a later answer"
    assert found(tell, "speed").reached is AssistanceLevel.AFTER_FOLLOW_UP
    text = render_markdown(findings("s1", tell.state))
    assert "without help**" not in text
    assert "in a later answer" in text


@pytest.mark.parametrize("at_once", [True, False])
def test_words_of_the_opening_are_no_proof_where_a_later_answer_says_the_point_better(*, at_once: bool) -> None:
    tell, q, first = asked()
    if at_once:
        tell.grade(q, first, [(MET, 0.9, VAGUE), (MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.UNGRADED, "speed", "What do you pay for it?")
    tell.grade(q, tell.answer(q, f"{PRECISE} {SLOW}", follow_up), [(MET, 0.9, VAGUE), (MET, 0.9, SLOW)])
    assert found(tell).reached is (AssistanceLevel.UNAIDED if at_once else AssistanceLevel.HELP_UNKNOWN)
    assert common.meaning(found(tell)) == f"you made this point{' without help' if at_once else ''}"


def test_what_the_interviewer_had_said_is_not_called_made_without_help() -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    said = "Suppose your kernels have a fixed order of reduction for each row. What does it cost?"
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "speed", said)
    tell.grade(q, tell.answer(q, f"{PRECISE} {SLOW}", follow_up), [(MET, 0.9, PRECISE), (MET, 0.9, SLOW)])
    assert found(tell).reached is AssistanceLevel.HELP_UNKNOWN


def test_a_follow_up_did_not_help_with_what_was_said_before_it() -> None:
    tell, q, first = asked(PRECISE)
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.UNSURE, "kernels", "How do you make the results equal?")
    again = "With a fixed order of reduction, for each row."
    tell.grade(q, tell.answer(q, again, follow_up), [(MET, 0.9, again), (MISSING, 0.1, "")])
    assert found(tell).reached is AssistanceLevel.HELP_UNKNOWN
    assert helped(tell) == []


def test_a_follow_up_did_not_help_with_what_the_code_may_have_held() -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    passed = CodeResult(status=CodeStatus.PASSED)
    tell._add(CodeRan, "run", asked_id=q, source="x = 1", submitted=True, result=passed)
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "kernels", "How do you make the results equal?")
    tell.grade(q, tell.answer(q, PRECISE, follow_up), [(MET, 0.9, PRECISE), (MISSING, 0.1, "")])
    assert found(tell).reached is AssistanceLevel.HELP_UNKNOWN
    assert helped(tell) == []


def test_a_follow_up_did_not_help_who_says_that_they_had_said_it() -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "kernels", "How do you make the results equal?")
    words = "I already said that, it is in the kernels."
    tell._add(AsideTaken, "aside", asked_id=q, intent=Intent.THINKING, words=words, said="Okay.")
    tell.grade(q, tell.answer(q, PRECISE, follow_up), [(MET, 0.9, PRECISE), (MISSING, 0.1, "")])
    assert found(tell).reached is AssistanceLevel.HELP_UNKNOWN
    assert helped(tell) == []


@pytest.mark.parametrize(("unsure", "said"), [((), ["It helped: point 1 improved."]), (("kernels",), [])])
def test_a_follow_up_helped_only_where_the_point_was_surely_not_made_before(
    unsure: tuple[str, ...], said: list[str]
) -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")], unsure=unsure)
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "kernels", "How do you make the results equal?")
    tell.grade(q, tell.answer(q, PRECISE, follow_up), [(MET, 0.9, PRECISE), (MISSING, 0.1, "")])
    assert helped(tell) == said


def test_a_follow_up_and_a_hint_before_one_answer_did_not_both_help() -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "kernels", "How do you make the results equal?")
    tell.hint(q, "Think of the order of the sums.")
    tell.grade(q, tell.answer(q, PRECISE, follow_up), [(MET, 0.9, PRECISE), (MISSING, 0.1, "")])
    assert found(tell).reached is AssistanceLevel.AFTER_HINT
    assert helped(tell) == ["It helped: point 1 improved."]
    turns = findings("s1", tell.state).questions[0].transcript
    assert [bool(turn.gained) for turn in turns if turn.kind in {TurnKind.FOLLOW_UP, TurnKind.HINT}] == [False, True]


def test_in_a_round_that_the_interviewer_leads_no_point_is_called_unaided() -> None:
    design = next(held for held in load_bank() if held.change and len(held.deep_dives) == 2)
    assert design.rubric is not None
    tell = Telling()
    q = tell.ask(design)
    marks = [(MET, 0.9, "So it is.") for _ in design.rubric.criteria]
    tell.grade(q, tell.answer(q, "So it is."), marks)
    report = findings("s1", tell.state)
    assert {each.reached for each in report.questions[0].criteria} == {AssistanceLevel.HELP_UNKNOWN}
    text = render_markdown(report)
    assert "unaided" not in text.replace("Unaided", "")
    assert "without help**" not in text


def test_who_only_asks_back_has_not_answered_a_follow_up() -> None:
    tell, q, first = asked()
    tell.grade(q, first, [(MISSING, 0.1, ""), (MISSING, 0.1, "")])
    follow_up = tell.follow_up(q, FollowUpKind.MISSING, "kernels", "How do you make the results equal?")
    tell.answer(q, "And the time? I'm asking because I could tell this short or long.", follow_up)
    assert helped(tell) == ["It was not answered."]
    turns = findings("s1", tell.state).questions[0].transcript
    assert common.turn_label(turns[-1]) == "You, question"
