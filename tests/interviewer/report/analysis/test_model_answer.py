"""The answer rewritten out of the person's own sentences, and whether help helped."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.schema.question import QuestionFinding
from interviewer.scoring.outcomes import CriterionOutcome
from interviewer.session.events import AnswerDeclined, DeclineReason
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from knowledge.model import FlagKind, ReferenceFlag
from rubric.model import Criterion, Examples, Rubric, Verdict
from tests.interviewer.report.sample_session import CONFLICT, LEAF, LOADER, Telling, question, telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


OWN = "The loop has to wait for data."


def parts(found: QuestionFinding) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(part.origin, part.text, part.numbers) for part in found.strong]


def test_what_earned_credit_is_kept_and_the_reference_says_what_is_wanting_in_the_order_of_the_points() -> None:
    leaf, buckets, *_ = findings("s1", telling().state).questions
    assert parts(leaf) == [
        (
            "yours",
            "PyTorch only fills dot grad for the leaves of the graph, so parameters and inputs that you asked for.",
            (1,),
        ),
        ("yours", "Everything in between is computed on the way and thrown away again.", (2,)),
        ("yours", "Call retain grad on that tensor before you run backward.", (3,)),
        ("ours", "A hook sees the same gradient and keeps nothing.", (4,)),
    ]
    assert parts(buckets) == []


def test_the_whole_sentence_is_kept_and_a_fragment_is_not() -> None:
    asked = question("q", [("a", "The loop waits for data.", 1), ("b", "Pinned memory speeds up the copies.", 1)])
    said = "The loop, as far as I see it, has to wait for its data. pins it, you know"
    for first, expected in (
        ("has to wait", "The loop, as far as I see it, has to wait for its data."),
        ("pins it, you know", None),
    ):
        tell = Telling()
        q = tell.ask(asked)
        tell.grade(q, tell.answer(q, said), [(MET, 0.9, first), (MISSING, 0.0, "")])
        own = [text for origin, text, _ in parts(findings("s1", tell.state).questions[0]) if origin == "yours"]
        assert own == ([expected] if expected else [])


def test_a_sentence_that_leans_is_kept_only_behind_the_one_it_leans_on() -> None:
    asked = question("q", [("a", "The loop waits for data.", 1), ("b", "Pinned memory speeds up the copies.", 1)])
    said = "The loop has to wait for data. It stands still for seconds at a time."
    both = "The loop has to wait for data. It stands still for seconds at a time."
    for words, kept in ((both, 2), ("It stands still for seconds at a time.", 0)):
        tell = Telling()
        q = tell.ask(asked)
        tell.grade(q, tell.answer(q, said), [(MET, 0.9, words), (MISSING, 0.0, "")])
        assert sum(part[0] == "yours" for part in parts(findings("s1", tell.state).questions[0])) == kept


def test_an_answer_is_left_as_it_is_where_a_point_can_only_be_said_by_leaning() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "The loop waits for data.", 1), ("b", "It copies beside computation.", 1)]))
    said = "The loop has to wait for data."
    tell.grade(q, tell.answer(q, said), [(MET, 0.9, said), (MISSING, 0.0, "")])
    assert parts(findings("s1", tell.state).questions[0]) == []


def test_a_sentence_stands_once_and_one_that_contradicts_a_point_not_at_all() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    a = tell.answer(q, "One does it all. Two is all wrong.")
    marks = [(MET, 0.9, "One does it all."), (MET, 0.9, "One does it all."), (CONTRADICTED, 0.1, "Two is all wrong.")]
    tell.grade(q, a, marks)
    assert parts(findings("s1", tell.state).questions[0]) == [
        ("yours", "One does it all.", (1, 2)),
        ("ours", "Third.", (3,)),
    ]
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    a = tell.answer(q, "One does it all. Two is all wrong.")
    tell.grade(q, a, [(MET, 0.9, "One does it all."), (MET, 0.9, "Two is all wrong."), marks[2]])
    assert [part[1] for part in parts(findings("s1", tell.state).questions[0])] == [
        "One does it all.",
        "Second.",
        "Third.",
    ]


def test_an_unsure_point_is_said_by_the_reference_until_the_person_settles_it() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    a = tell.answer(q, "The loop waits for it. Pinning helps the copies.")
    marks = [(MET, 0.6, "The loop waits for it."), (MET, 0.9, "Pinning helps the copies.")]
    tell.grade(q, a, marks, unsure=["blocked"])
    tell.close(q)
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["ours", "yours"]
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


def test_the_order_is_that_of_the_points() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    a = tell.answer(q, "Three is what it is. Two is all wrong. One is what it is.")
    wrong = (CONTRADICTED, 0.1, "Two is all wrong.")
    tell.grade(q, a, [(MET, 0.9, "One is what it is."), wrong, (MET, 0.9, "Three is what it is.")])
    assert [part[1] for part in parts(findings("s1", tell.state).questions[0])] == [
        "One is what it is.",
        "Second.",
        "Three is what it is.",
    ]


def test_two_points_that_one_sentence_of_the_reference_says_are_added_once() -> None:
    said = "Buckets send few large messages."
    asked = question(
        "q",
        [("own", "Own.", 1), ("few", "Buckets send few messages.", 1), ("large", "Buckets send large messages.", 1)],
        reference="## Buckets\n\nThey help. **Buckets** send few large messages.\n\n```python\nbuckets = few\n```",
    )
    tell = Telling()
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, OWN), [(MET, 0.9, OWN), (MISSING, 0.1, ""), (MISSING, 0.1, "")])
    assert parts(findings("s1", tell.state).questions[0])[1:] == [("ours", said, (2, 3))]


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
        q = tell.ask(question("q", [("own", "Own.", 1), ("a", point, 1)], **fields))
        tell.grade(q, tell.answer(q, OWN), [(MET, 0.9, OWN), (MISSING, 0.1, "")])
        assert parts(findings("s1", tell.state).questions[0])[1:] == [("ours", point, (2,))]


def test_what_a_criterion_only_describes_is_said_by_an_example() -> None:
    told = Criterion(
        id="c", text="Names the latency target.", examples=Examples(met=("Below 1 s.", "I want p99 below a second."))
    )
    tell = Telling()
    q = tell.ask(question("q", [("c", "x", 1)], rubric=Rubric(criteria=(Criterion(id="own", text="Own."), told))))
    tell.grade(q, tell.answer(q, OWN), [(MET, 0.9, OWN), (MISSING, 0.1, "")])
    assert parts(findings("s1", tell.state).questions[0])[1:] == [("ours", "I want p99 below a second.", (2,))]


def test_nobody_elses_story_is_put_into_the_persons() -> None:
    tell = Telling()
    q = tell.ask(CONFLICT)
    tell.grade(q, tell.answer(q, "I decided."), [(MET, 0.9, "I decided."), (MISSING, 0.1, "")])
    assert parts(findings("s1", tell.state).questions[0]) == []


def test_nothing_is_added_for_a_point_that_the_person_says_they_made() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    tell.grade(q, tell.answer(q, OWN), [(MET, 0.9, OWN), (MISSING, 0.1, "")])
    tell.close(q)
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["yours", "ours"]
    tell.dispute(q, "pinned")
    assert [part[0] for part in parts(findings("s1", tell.state).questions[0])] == ["yours"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Um, so the loop the loop has to wait for its data.", "The loop has to wait for its data."),
        ("I think that the loop has to, uh, wait for its data.", "The loop has to wait for its data."),
        ("the loop has to wait for its data", None),
        ("Well, actually, the loop has to wait for its data.", "The loop has to wait for its data."),
        ("Right-hand sides of the loop wait for the data.", "Right-hand sides of the loop wait for the data."),
        ("The loop probably has to wait for its data.", None),
        ("Because of that the loop has to wait for its data.", None),
    ],
)
def test_a_halting_sentence_is_kept_as_it_was_meant(said: str, kept: str | None) -> None:
    asked = question("q", [("a", "The loop waits for data.", 1), ("b", "Pinned memory speeds up the copies.", 1)])
    tell = Telling()
    q = tell.ask(asked)
    other = "Pinned memory speeds up the copies to the card."
    tell.grade(q, tell.answer(q, f"{said}\n{other}"), [(MET, 0.9, said), (MET, 0.9, other)])
    own = [part for part in findings("s1", tell.state).questions[0].strong if 1 in part.numbers]
    assert [(part.text, part.quote.text) for part in own if part.quote] == ([(kept, said)] if kept else [])


def test_of_our_own_statements_only_whole_sentences_are_said() -> None:
    halting = Examples(
        met=("Well, it has to be told of a result.", "and then the p99 went down.", "The p99 went down.")
    )
    points = (Criterion(id="a", text="Names a result.", examples=halting), Criterion(id="b", text="The loop waits."))
    asked = question("q", [("a", "Names a result.", 1)]).model_copy(update={"rubric": Rubric(criteria=points)})
    tell = Telling()
    q = tell.ask(asked)
    said = "The loop has to wait for its data."
    tell.grade(q, tell.answer(q, said), [(MISSING, 0.0, ""), (MET, 0.9, said)])
    assert parts(findings("s1", tell.state).questions[0])[0] == ("ours", "The p99 went down.", (1,))


@pytest.mark.parametrize(
    "said",
    [
        "The loop never waits for data at all. That was wrong of me.",
        "The loop never waits for data, which was my mistake.",
        "I forgot that the loop waits for the data.",
        "I said that already: the loop waits for data.",
        "As I said, the loop waits for data.",
        "Not the loop, the workers wait for their data.",
        "Would let the loop wait for the data.",
    ],
)
def test_a_confessed_fault_and_words_about_the_talk_are_no_part_of_a_strong_answer(said: str) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "The loop waits for data.", 1), ("b", "Pinned memory is read directly.", 1)]))
    own = "Pinned memory can be read by the card directly."
    first = said.split(". ", maxsplit=1)[0].rstrip(".") + "."
    tell.grade(q, tell.answer(q, f"{said} {own}"), [(MET, 0.9, first), (MET, 0.9, own)])
    assert parts(findings("s1", tell.state).questions[0]) == [
        ("ours", "The loop waits for data.", (1,)),
        ("yours", own, (2,)),
    ]


def test_what_is_said_of_a_fault_of_the_code_is_no_part_of_a_strong_answer() -> None:
    bug = "I compared the type exactly, so a subclass is not opened."
    for kind, kept in ((FollowUpKind.EXECUTION, False), (FollowUpKind.EXPLANATION, True)):
        tell = Telling()
        q = tell.ask(question("q", [("a", "Every subclass is opened.", 1), ("b", "The loop waits.", 1)]))
        tell.answer(q, OWN)
        last = tell.answer(q, bug, tell.follow_up(q, kind, "run:a", "Where does that come from?"))
        tell.grade(q, last, [(MET, 0.9, bug), (MET, 0.9, OWN)])
        said = [text for origin, text, _ in parts(findings("s1", tell.state).questions[0]) if origin == "yours"]
        assert said == ([bug] if kept else []) + [OWN]


def test_a_sentence_that_another_says_again_and_more_is_left_out() -> None:
    short = "Device work is asynchronous, so I synchronize before both clock readings."
    long = f"{short[:-1]}, and the peaks of all open blocks are updated."
    other = "Device memory is measured against the level before the block."
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    said = tell.answer(q, f"{short} {long} {other}")
    tell.grade(q, said, [(MET, 0.9, short), (MET, 0.9, long), (MET, 0.9, other)])
    assert parts(findings("s1", tell.state).questions[0]) == [("yours", long, (1, 2)), ("yours", other, (3,))]
