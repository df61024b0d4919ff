"""The answer rewritten out of the person's own sentences, and whether help helped."""

from __future__ import annotations

from interviewer.report.analysis.findings import findings
from interviewer.report.schema.question import QuestionFinding
from interviewer.scoring.outcomes import CriterionOutcome
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from knowledge.model import FlagKind, ReferenceFlag
from rubric.model import Criterion, Examples, Rubric, Verdict
from tests.interviewer.report.sample_session import CONFLICT, LEAF, LOADER, Telling, question, telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


def parts(found: QuestionFinding) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(part.origin, part.text, part.numbers) for part in found.strong]


def test_what_earned_credit_keeps_its_order_and_the_reference_says_what_is_wanting() -> None:
    leaf, buckets, *_ = findings("s1", telling().state).questions
    assert [(origin, numbers) for origin, _, numbers in parts(leaf)] == [
        ("yours", (1,)),
        ("yours", (2,)),
        ("yours", (4,)),
        ("ours", (4,)),
        ("yours", (3,)),
    ]
    assert parts(leaf)[4][1] == "Yes, call retain grad on that tensor before you run backward."
    assert parts(leaf)[3][1] == "A hook sees the same gradient and keeps nothing."
    assert parts(buckets) == [
        (
            "ours",
            "Every process holds a full replica and averages gradients with an all-reduce, bucket by bucket.",
            (1,),
        ),
        ("yours", "It groups gradients into buckets, so there are fewer calls.", (2,)),
        ("ours", "A bucket is reduced while backward still computes the gradients of earlier layers.", (3,)),
    ]


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


def test_the_order_is_the_persons_and_what_was_wrong_is_replaced_where_it_was_said() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    a = tell.answer(q, "Three it is. Two is wrong. One it is.")
    tell.grade(q, a, [(MET, 0.9, "One it is."), (CONTRADICTED, 0.1, "Two is wrong."), (MET, 0.9, "Three it is.")])
    assert [part[1] for part in parts(findings("s1", tell.state).questions[0])] == [
        "Three it is.",
        "Second.",
        "One it is.",
    ]


def test_two_points_that_one_sentence_of_the_reference_says_are_added_once() -> None:
    said = "Buckets send few large messages."
    asked = question(
        "q",
        [("few", "Buckets send few messages.", 1), ("large", "Buckets send large messages.", 1)],
        reference="## Buckets\n\nThey help. **Buckets** send few large messages.\n\n```python\nbuckets = few\n```",
    )
    tell = Telling()
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, "No idea."), [(MISSING, 0.1, "")] * 2)
    assert parts(findings("s1", tell.state).questions[0]) == [("ours", said, (1, 2))]


def test_a_sentence_that_leans_on_another_and_a_reference_with_faults_add_nothing() -> None:
    point = "Gradients are averaged by an all-reduce."
    for fields in (
        {"reference": "It averages: gradients are averaged by an all-reduce."},
        {
            "reference": "All gradients are averaged by an all-reduce here.",
            "flags": (ReferenceFlag(kind=FlagKind.WRONG, reason="Not so."),),
        },
    ):
        tell = Telling()
        q = tell.ask(question("q", [("a", point, 1)], **fields))
        tell.grade(q, tell.answer(q, "No idea."), [(MISSING, 0.1, "")])
        assert parts(findings("s1", tell.state).questions[0]) == [("ours", point, (1,))]


def test_what_a_criterion_only_describes_is_said_by_an_example() -> None:
    told = Criterion(id="c", text="Names the latency target.", examples=Examples(met=("I want p99 below a second.",)))
    tell = Telling()
    q = tell.ask(question("q", [("c", "x", 1)], rubric=Rubric(criteria=(told,))))
    tell.grade(q, tell.answer(q, "No idea."), [(MISSING, 0.1, "")])
    assert parts(findings("s1", tell.state).questions[0]) == [("ours", "I want p99 below a second.", (1,))]


def test_nobody_elses_story_is_put_into_the_persons() -> None:
    tell = Telling()
    q = tell.ask(CONFLICT)
    tell.grade(q, tell.answer(q, "I decided."), [(MET, 0.9, "I decided."), (MISSING, 0.1, "")])
    assert parts(findings("s1", tell.state).questions[0]) == []


def test_nothing_is_added_for_a_point_that_the_person_says_they_made() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    tell.grade(q, tell.answer(q, "It waits."), [(MET, 0.9, "It waits."), (MISSING, 0.1, "")])
    tell.close(q)
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["yours", "ours"]
    tell.dispute(q, "pinned")
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["yours"]
