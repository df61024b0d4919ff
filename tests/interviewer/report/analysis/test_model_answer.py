"""The answer rewritten out of the person's own sentences, and whether help helped."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.model_answer import strong_answer
from interviewer.report.schema.question import QuestionFinding
from interviewer.scoring.outcomes import CriterionOutcome
from interviewer.session.events import AnswerDeclined, DeclineReason
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.speech.delivery import Delivery
from interviewer.speech.spoken_answer import SpokenAnswer
from knowledge.model import FlagKind, ReferenceFlag
from rubric.model import Criterion, Examples, Rubric, Verdict
from serving.speech.stt.transcript import Word
from tests.interviewer.report.sample_session import CONFLICT, LEAF, LOADER, Telling, question, telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


OWN = "The loop has to wait for data."


def parts(found: QuestionFinding) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(part.origin, part.text, part.numbers) for part in found.strong]


def test_what_was_said_is_kept_in_its_order_and_what_is_wanting_follows() -> None:
    leaf, *_ = findings("s1", telling().state).questions
    found = parts(leaf)
    own = [text for origin, text, _ in found if origin == "yours"]
    assert (
        own[0]
        == "PyTorch only fills dot grad for the leaves of the graph, so parameters and inputs that you asked for."
    )
    assert "Call retain grad on that tensor before you run backward." in own
    # The judge is unsure of the last point, so that it is put in as we say it.
    assert [part[0] for part in found] == [*["yours"] * len(own), "ours"]


def test_sentences_that_earned_nothing_are_left_out_since_nobody_knows_whether_they_are_true() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    said = f"Let me think for a moment. We had eight cards in that machine. {OWN} Nobody had looked at it."
    tell.grade(q, tell.answer(q, said), [(MET, 0.9, OWN), (MISSING, 0.0, "")])
    found = parts(findings("s1", tell.state).questions[0])
    assert [part[:2] for part in found if part[0] == "yours"] == [("yours", OWN)]


def test_what_is_right_stands_in_the_place_of_what_contradicts_it() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    a = tell.answer(q, "One is what it is. Two is all wrong. Three is what it is.")
    marks = [
        (MET, 0.9, "One is what it is."),
        (CONTRADICTED, 0.1, "Two is all wrong."),
        (MET, 0.9, "Three is what it is."),
    ]
    tell.grade(q, a, marks)
    assert parts(findings("s1", tell.state).questions[0]) == [
        ("yours", "One is what it is.", (1,)),
        ("ours", "Second.", (2,)),
        ("yours", "Three is what it is.", (3,)),
    ]


def test_what_the_judge_is_unsure_of_is_said_in_our_words() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1), ("d", "Fourth.", 1)]))
    a = tell.answer(q, "One is what it is. Two is all wrong.")
    marks = [(MET, 0.9, "One is what it is."), (CONTRADICTED, 0.2, "Two is all wrong."), (MISSING, 0.5, "")]
    tell.grade(q, a, [*marks, (MISSING, 0.05, "")], unsure=["b", "c", "d"])
    assert parts(findings("s1", tell.state).questions[0]) == [
        ("yours", "One is what it is.", (1,)),
        ("ours", "Second.", (2,)),
        ("ours", "Third.", (3,)),
        ("ours", "Fourth.", (4,)),
    ]


def test_questions_and_what_goes_beyond_the_question_are_no_part_of_it() -> None:
    tell = Telling(Plan(follow_ups=1))
    q = tell.ask(LOADER)
    tell.answer(q, f"{OWN} Do you mean the training loop?")
    f = tell.follow_up(q, FollowUpKind.DEPTH, "pinned", "And with two million files?")
    last = tell.answer(q, "I would pack them into shards of one gigabyte.", f)
    tell.grade(q, last, [(MET, 0.9, OWN), (MET, 0.9, OWN)])
    assert parts(findings("s1", tell.state).questions[0]) == [("yours", OWN, (1, 2))]


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
        ("the loop has to wait for its data", "The loop has to wait for its data."),
        ("Well, actually, the loop has to wait for its data.", "The loop has to wait for its data."),
        ("Right-hand sides of the loop wait for the data.", "Right-hand sides of the loop wait for the data."),
        ("The loop probably has to wait for its data.", "The loop probably has to wait for its data."),
        ("wait for it", None),
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
    assert parts(findings("s1", tell.state).questions[0])[-1] == ("ours", "The p99 went down.", (1,))


@pytest.mark.parametrize(
    "said",
    [
        "The loop never waits for data at all. That was wrong of me.",
        "The loop never waits for data, which was my mistake.",
        "I forgot that the loop waits for the data.",
        "I said that already: the loop waits for data.",
        "As I said, the loop waits for data.",
        "To be honest, I don't know how the loop waits for the data.",
        "Is it that the loop waits for the data?",
    ],
)
def test_a_confessed_fault_and_words_about_the_talk_are_no_part_of_a_strong_answer(said: str) -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", "The loop waits for data.", 1), ("b", "Pinned memory is read directly.", 1)]))
    own = "Pinned memory can be read by the card directly."
    tell.grade(q, tell.answer(q, f"{said} {own}"), [(MISSING, 0.0, ""), (MET, 0.9, own)])
    found = [part for part in parts(findings("s1", tell.state).questions[0]) if "That was wrong" not in part[1]]
    assert found == [("yours", own, (2,)), ("ours", "The loop waits for data.", (1,))]


def test_what_is_said_of_a_fault_of_the_code_is_no_part_of_a_strong_answer() -> None:
    bug = "I compared the type exactly, so a subclass is not opened."
    for kind, kept in ((FollowUpKind.EXECUTION, False), (FollowUpKind.EXPLANATION, True)):
        tell = Telling()
        q = tell.ask(question("q", [("a", "Every subclass is opened.", 1), ("b", "The loop waits.", 1)]))
        tell.answer(q, OWN)
        last = tell.answer(q, bug, tell.follow_up(q, kind, "run:a", "Where does that come from?"))
        tell.grade(q, last, [(MET, 0.9, bug), (MET, 0.9, OWN)])
        said = [text for origin, text, _ in parts(findings("s1", tell.state).questions[0]) if origin == "yours"]
        assert said == [OWN] + ([bug] if kept else [])


def test_a_sentence_that_another_says_again_and_more_is_left_out() -> None:
    short = "Device work is asynchronous, so I synchronize before both clock readings."
    long = f"{short[:-1]}, and the peaks of all open blocks are updated."
    other = "Device memory is measured against the level before the block."
    tell = Telling()
    q = tell.ask(question("q", [("a", "First.", 1), ("b", "Second.", 1), ("c", "Third.", 1)]))
    said = tell.answer(q, f"{short} {long} {other}")
    tell.grade(q, said, [(MET, 0.9, short), (MET, 0.9, long), (MET, 0.9, other)])
    assert parts(findings("s1", tell.state).questions[0]) == [("yours", long, (1, 2)), ("yours", other, (3,))]


def test_a_sentence_that_recognition_guessed_at_is_not_put_into_anybodys_mouth() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    said = f"{OWN} In CSRU Store, Pernon0, the value."
    name = tell.answer(q, said)
    words = [
        Word(text=word, start=at, end=at + 1, probability=0.2 if word.strip(",") in {"CSRU", "Pernon0"} else 0.9)
        for at, word in enumerate(said.split())
    ]
    delivery = Delivery.model_construct()
    spoken = SpokenAnswer.model_construct(
        heard=said, written=said, words=tuple(words), delivery=delivery, recordings=()
    )
    answer = tell.state.asked[0].answers[0].model_copy(update={"spoken": spoken})
    tell.grade(q, name, [(MET, 0.9, OWN), (MISSING, 0.0, "")])
    criteria = findings("s1", tell.state).questions[0].criteria
    assert [part.text for part in strong_answer(criteria, LOADER, [answer]) if part.quote] == [OWN]


def rewritten(said: str, marks: list[tuple[Verdict, float, str]], points: list[Criterion]) -> list[tuple[str, str]]:
    tell = Telling()
    rubric = Rubric(criteria=tuple(points), origin="bank")
    q = tell.ask(question("q", [("x", "x", 1)]).model_copy(update={"rubric": rubric}))
    tell.grade(q, tell.answer(q, said), marks)
    return [part[:2] for part in parts(findings("s1", tell.state).questions[0])]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        # What it points back to is left out, so that nobody would understand it.
        ("There are eight cards. On every iteration it copies the module to them all.", False),
        ("I lost that server. They see something slightly dumber, never an empty page.", False),
        ("There are eight cards. Times three, that makes thousands of pages a second.", False),
        # It stands behind the one it points back to, or points back to nothing.
        ("The loop waits for the loader. On every iteration it copies the module to them all.", True),
        ("There are eight cards. On every iteration the wrapper copies the module to them all.", True),
    ],
)
def test_a_sentence_that_points_back_to_one_left_out_gives_way_to_the_point(said: str, kept: bool) -> None:
    first, last = (f"{each.strip('.')}." for each in said.split(". ", 1))
    queue = "The queue of requests is short."
    points = [Criterion(id=each, text=f"The {each} is so.") for each in ("wait", "copy", "queue")]
    waits = (MET, 0.9, first) if first.startswith("The loop") else (MISSING, 0.1, "")
    found = rewritten(f"{queue} {said}", [waits, (MET, 0.9, last), (MET, 0.9, queue)], points)
    assert found[0] == ("yours", queue)
    assert (("yours", last) in found) is kept
    assert (("ours", "The copy is so.") in found) is not kept


def test_what_only_joins_a_sentence_to_the_one_before_is_left_out() -> None:
    points = [Criterion(id="a", text="The goal is fixed."), Criterion(id="b", text="The pages are counted.")]
    said = "I did, so briefly: watch time is what I optimize for."
    found = rewritten(said, [(MET, 0.9, said), (MISSING, 0.1, "")], points)
    assert found == [("yours", "Watch time is what I optimize for."), ("ours", "The pages are counted.")]


def test_a_point_that_points_back_is_put_in_by_a_statement_that_stands_alone() -> None:
    met = ("It halves.", "Eight bits halve the cache of keys and values.")
    points = [
        Criterion(id="a", text="It halves the cache.", examples=Examples(met=met)),
        Criterion(id="b", text="Scales are per channel."),
    ]
    said = "The scales are one for each channel."
    found = rewritten(said, [(MISSING, 0.1, ""), (MET, 0.9, said)], points)
    assert found == [("yours", said), ("ours", "Eight bits halve the cache of keys and values.")]


def test_where_nothing_else_is_the_persons_what_points_back_stays() -> None:
    points = [Criterion(id="a", text="The buckets are few."), Criterion(id="b", text="The copy is averaged.")]
    said = "It groups gradients into buckets, so there are fewer calls."
    found = rewritten(said, [(MET, 0.9, said), (MISSING, 0.1, "")], points)
    assert found == [("yours", said), ("ours", "The copy is averaged.")]


def test_what_was_counted_is_no_longer_counted_and_no_other_sentence_is_leaned_on() -> None:
    points = [Criterion(id=each, text=f"The {each} is so.") for each in ("cast", "copy", "mask")]
    second = "Second, the cast to float is not needed."
    marks = [(MET, 0.9, second), (MET, 0.9, "Without a sampler each of them reads it all."), (MISSING, 0.1, "")]
    found = rewritten(f"{second} I lost the others. Without a sampler each of them reads it all.", marks, points)
    assert found == [
        ("yours", "The cast to float is not needed."),
        ("ours", "The copy is so."),
        ("ours", "The mask is so."),
    ]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Because the gradients are added up, like in a sum.", "The gradients are added up, like in a sum."),
        ("Because rotations keep lengths, the product stays.", "Because rotations keep lengths, the product stays."),
    ],
)
def test_a_reason_that_is_all_of_a_sentence_is_told_as_a_statement(said: str, kept: str) -> None:
    points = [Criterion(id="a", text="The sum is so."), Criterion(id="b", text="The copy is so.")]
    assert rewritten(said, [(MET, 0.9, said), (MISSING, 0.1, "")], points)[0] == ("yours", kept)


@pytest.mark.parametrize(
    "goes_on", ["The skipped gradient differs too: it is none.", "A skipped gradient is a second bias."]
)
def test_a_sentence_of_the_reference_that_goes_on_from_another_is_not_ours(goes_on: str) -> None:
    rubric = Rubric(criteria=(Criterion(id="a", text="A skipped gradient is none."), Criterion(id="b", text="So.")))
    tell = Telling()
    asked = question("q", [("x", "x", 1)], reference=goes_on).model_copy(update={"rubric": rubric})
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, OWN), [(MISSING, 0.1, ""), (MET, 0.9, OWN)])
    found = parts(findings("s1", tell.state).questions[0])
    assert ("ours", "A skipped gradient is none.") in [part[:2] for part in found]


def test_nothing_is_put_in_where_nothing_is_wanting() -> None:
    points = [Criterion(id=each, text=f"The {each} is so.") for each in ("queue", "copy")]
    queue, copy = "The queue of requests is short.", "They are copied each time."
    found = rewritten(f"{queue} I lost the others. {copy}", [(MET, 0.9, queue), (MET, 0.9, copy)], points)
    assert found == [("yours", queue)]
