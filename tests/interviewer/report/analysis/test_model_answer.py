"""A strong answer out of the person's own sentences, and whether help helped."""

from __future__ import annotations

from interviewer.report.analysis.findings import findings
from interviewer.report.schema.question import QuestionFinding
from interviewer.scoring.outcomes import CriterionOutcome
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from rubric.model import Criterion, Examples, Rubric, Verdict
from tests.interviewer.report.sample_session import LEAF, LOADER, Telling, question, telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


def parts(found: QuestionFinding) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(part.origin, part.text, part.numbers) for part in found.strong]


def test_what_earned_credit_is_kept_and_what_is_wanting_is_added_in_the_rubrics_order() -> None:
    leaf, buckets, *_ = findings("s1", telling().state).questions
    assert [(origin, numbers) for origin, _, numbers in parts(leaf)] == [
        ("yours", (1,)),
        ("yours", (2,)),
        ("yours", (3,)),
        ("yours", (4,)),
        ("ours", (4,)),
    ]
    assert parts(leaf)[2][1] == "Yes, call retain grad on that tensor before you run backward."
    assert parts(buckets) == [
        ("ours", "Each process averages its gradients with all others by an all-reduce.", (1,)),
        ("yours", "It groups gradients into buckets, so there are fewer calls.", (2,)),
        ("ours", "A bucket is reduced while backward still computes the gradients of earlier layers.", (3,)),
    ]


def test_ours_are_the_rubrics_own_statements_where_it_has_some() -> None:
    told = Criterion(id="c", text="It is so.", examples=Examples(met=("I would say it is so.", "Yes."), near=("Hm.",)))
    tell = Telling()
    q = tell.ask(question("q", [("c", "x", 1)], rubric=Rubric(criteria=(told,))))
    tell.grade(q, tell.answer(q, "No idea."), [(MISSING, 0.1, "")])
    assert parts(findings("s1", tell.state).questions[0]) == [("ours", "I would say it is so.", (1,))]


def test_a_sentence_stands_once_and_one_that_contradicts_a_point_not_at_all() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    a = tell.answer(q, "One does it all. Two is wrong.")
    marks = [(MET, 0.9, "One does it all."), (MET, 0.9, "One does it all."), (CONTRADICTED, 0.1, "Two is wrong.")]
    tell.grade(q, a, marks)
    assert parts(findings("s1", tell.state).questions[0]) == [
        ("yours", "One does it all.", (1, 2)),
        ("ours", "Third.", (3,)),
    ]
    tell.grade(q, a, [(MET, 0.9, "One does it all."), (MET, 0.9, "Two is wrong."), marks[2]])
    assert [part[1] for part in parts(findings("s1", tell.state).questions[0])] == ["One does it all.", "Third."]


def test_an_unsure_point_is_said_again_until_the_person_settles_it() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    a = tell.answer(q, "It waits. Pin it.")
    tell.grade(q, a, [(MET, 0.6, "It waits."), (MET, 0.9, "Pin it.")], unsure=["blocked"])
    tell.close(q)
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["yours", "ours", "yours"]
    tell.self_assess(q, "blocked", MET)
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["yours", "yours"]


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
