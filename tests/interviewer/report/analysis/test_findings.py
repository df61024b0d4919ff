from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.timeline import timeline
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuestionStatus, QuoteRole, TurnKind
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from rubric.model import AskedBy, Verdict
from tests.interviewer.report.sample_session import LEAF, LOADER, MIXED, START, Telling, question, telling

MET, PARTIAL, MISSING = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING


def report(tell: Telling) -> Findings:
    return findings("s1", tell.state)


@pytest.fixture(scope="module")
def sample() -> Findings:
    return report(telling())


def test_scores_of_questions_keep_unaided_and_final_apart(sample: Findings) -> None:
    leaf, buckets, loader, skipped, ungraded = sample.questions
    assert leaf.unaided == pytest.approx((0.96 * 3 + 0.89 * 2 + 0.06 * 2 + 0.49) / 8, abs=1e-4), (
        "only one was asked for"
    )
    assert leaf.final == pytest.approx((0.96 * 3 + 0.89 * 2 + 0.93 * 2 + 0.49) / 8)
    assert buckets.unaided == pytest.approx((0.04 * 3 + 0.9 * 2 + 0.09 * 2) / 7, abs=1e-4)
    assert (loader.unaided, loader.unaided_note) == (None, "help was given before the first answer")
    assert loader.final == pytest.approx((0.91 * 2 + 0.03) / 3)
    assert (skipped.status, skipped.unaided, skipped.final) == (QuestionStatus.SKIPPED, 0.0, 0.0)
    assert (ungraded.status, ungraded.final) == (QuestionStatus.UNGRADED, None)
    assert ungraded.final_note == ungraded.unaided_note == "The model server stopped answering."


def test_overall_is_weighted_by_minutes_and_a_skipped_question_earns_nothing(sample: Findings) -> None:
    leaf, buckets, loader, skipped, _ = sample.questions
    assert leaf.final is not None
    assert buckets.final is not None
    assert loader.final is not None
    assert leaf.unaided is not None
    assert buckets.unaided is not None
    overall = sample.overall
    earned = leaf.final * 4 + buckets.final * 6 + loader.final * 4
    assert overall.final == pytest.approx(earned / (14 + skipped.minutes))
    assert overall.unaided == pytest.approx((leaf.unaided * 4 + buckets.unaided * 6) / (10 + skipped.minutes))
    assert (overall.asked, overall.graded, overall.graded_unaided) == (5, 3, 3)
    assert (overall.skipped, overall.without_mark) == (1, 1)


def test_topics_are_totaled_in_the_order_they_came_up(sample: Findings) -> None:
    topics = [topic.topic for topic in sample.topics]
    assert topics == ["autograd", "distributed training", "data loading", "working with people", "training"]
    assert sample.topics[0].final == sample.questions[0].final
    assert [topic.final for topic in sample.topics[3:]] == [None, None]


def test_each_criterion_tells_how_it_was_reached(sample: Findings) -> None:
    reached = [[found.reached for found in q.criteria] for q in sample.questions]
    assert reached[0] == [
        AssistanceLevel.UNAIDED,
        AssistanceLevel.UNAIDED,
        AssistanceLevel.AFTER_FOLLOW_UP,
        AssistanceLevel.NOT_MET,
    ]
    assert reached[1] == [AssistanceLevel.NOT_MET, AssistanceLevel.UNAIDED, AssistanceLevel.NOT_MET]
    assert reached[2] == [AssistanceLevel.AFTER_HINT, AssistanceLevel.NOT_MET]
    assert sample.questions[0].criteria[2].first_verdict is MISSING


def test_strengths_and_gaps_are_sure_and_the_first_gap_is_fixed_first(sample: Findings) -> None:
    assert [item.criterion_id for item in sample.strengths] == ["buckets", "leaves", "freed"]
    assert [item.criterion_id for item in sample.gaps] == ["average", "overlap", "pinned"]
    assert sample.fix is not None
    assert sample.fix.criterion_id == sample.gaps[0].criterion_id
    assert sample.fix.misconception.startswith("That one process collects")


def test_an_unsure_verdict_is_neither_strength_nor_gap() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    a = tell.answer(q, "It waits.")
    tell.grade(q, a, [(MET, 0.6, "It waits."), (MISSING, 0.4, "")], unsure=["blocked", "pinned"])
    found = report(tell)
    assert (found.strengths, found.gaps) == ((), ())
    assert [(item.criterion_id, item.sure) for item in found.fix_first] == [("pinned", False)]
    assert found.made.criteria_unsure == 2
    assert [addition.sure for addition in found.questions[0].to_add] == [False]


def test_what_nobody_asked_for_is_no_gap_and_is_told_apart_from_what_was_missed() -> None:
    assert LOADER.rubric is not None
    blocked, pinned = LOADER.rubric.criteria
    left = pinned.model_copy(update={"asked_by": AskedBy.PROBE})
    question_ = LOADER.model_copy(
        update={"rubric": LOADER.rubric.model_copy(update={"criteria": (blocked, left)})},
    )
    tell = Telling()
    q = tell.ask(question_)
    tell.grade(q, tell.answer(q, "The GPU has no work."), [(MISSING, 0.04, ""), (MISSING, 0.04, "")])
    silent = report(tell)
    assert [found.never_asked for found in silent.questions[0].criteria] == [False, True]
    assert [gap.criterion_id for gap in silent.gaps] == ["blocked"]
    assert [item.criterion_id for item in silent.study] == ["blocked"]
    assert [found.share for found in silent.questions[0].criteria] == [1.0, 0.0]
    assert "not asked: " in render_markdown(silent).replace("*", "")
    assert "not asked" in render_html(silent)
    drilled = tell.follow_up(q, FollowUpKind.MISSING, "pinned", "And what does pinning do?")
    tell.grade(q, tell.answer(q, "I do not know.", drilled), [(MISSING, 0.04, ""), (MISSING, 0.04, "")])
    asked = report(tell)
    assert [found.never_asked for found in asked.questions[0].criteria] == [False, False]
    assert {gap.criterion_id for gap in asked.gaps} == {"blocked", "pinned"}
    assert "not asked: " not in render_markdown(asked).replace("*", "")


def test_what_nobody_asked_for_is_no_part_of_a_score() -> None:
    assert LOADER.rubric is not None
    blocked, pinned = LOADER.rubric.criteria
    rubric = LOADER.rubric.model_copy(
        update={"criteria": (blocked, pinned.model_copy(update={"asked_by": AskedBy.PROBE}))}
    )
    tell = Telling()
    q = tell.ask(LOADER.model_copy(update={"rubric": rubric}))
    tell.grade(q, tell.answer(q, "The GPU waits."), [(MET, 0.9, "The GPU waits."), (MISSING, 0.04, "")])
    silent = report(tell)
    assert (silent.questions[0].final, silent.questions[0].unaided, silent.overall.final) == (0.9, 0.9, 0.9)
    assert silent.questions[0].criteria[1].credit == 0.04
    asked = tell.follow_up(q, FollowUpKind.MISSING, "pinned", "And what does pinning do?")
    tell.grade(q, tell.answer(q, "No idea.", asked), [(MET, 0.9, "The GPU waits."), (MISSING, 0.04, "")])
    assert (report(tell).questions[0].final or 0.0) < 0.9


def test_every_claim_is_traced_to_an_event() -> None:
    tell = telling()
    sample = report(tell)
    by_id = {event.id: event for event in tell.events}
    quotes = [quote for item in (*sample.strengths, *sample.gaps) for quote in item.quotes]
    for asked in sample.questions:
        assert by_id[asked.asked_id].type == "question_asked"
        quotes += [quote for found in asked.criteria for quote in found.quotes]
        quotes += [quote for correction in asked.corrections for quote in correction.quotes]
        for turn in asked.transcript:
            event = by_id[turn.event_id]
            assert turn.at == event.at
            assert turn.text == (getattr(event, "text", None) or getattr(event, "said", ""))
        for found in asked.criteria:
            if found.verdict in {MET, PARTIAL, Verdict.CONTRADICTED}:
                assert found.quotes
    assert len(quotes) > 10
    for quote in quotes:
        answer = by_id[quote.answer_id]
        assert answer.type == "answer_given"
        assert answer.text[quote.start : quote.end] == quote.text != ""
    assert all(item.quotes for item in (*sample.strengths, *sample.gaps))


def test_the_transcript_has_what_was_said_and_nothing_else(sample: Findings) -> None:
    kinds = [[turn.kind for turn in q.transcript] for q in sample.questions]
    question_, answer, follow_up = TurnKind.QUESTION, TurnKind.ANSWER, TurnKind.FOLLOW_UP
    assert kinds == [
        [question_, answer, follow_up, answer],
        [question_, TurnKind.REPEAT, answer, follow_up, answer],
        [question_, TurnKind.HINT, answer],
        [question_, TurnKind.SKIP],
        [question_, answer],
    ]
    assert sample.questions[0].transcript[2].criterion_id == "retain"
    assert sample.questions[4].transcript[1].ungraded == "The model server stopped answering."


def test_a_called_time_is_told_and_does_not_cut_the_answer_it_was_said_into() -> None:
    tell = Telling()
    asked = tell.ask(LEAF)
    tell.call_time(asked)
    tell.answer(asked, "Leaves keep theirs.")
    found = report(tell)
    assert [turn.kind for turn in found.questions[0].transcript] == [TurnKind.QUESTION, TurnKind.TIME, TurnKind.ANSWER]
    (row,) = timeline(found).rows
    assert [(moment.kind, moment.at - (moment.since or 0)) for moment in row.moments if moment.since is not None] == [
        (TurnKind.ANSWER, 120.0)
    ]


def test_evidence_in_a_second_answer_is_marked_there(sample: Findings) -> None:
    leaf = sample.questions[0]
    first, second = leaf.transcript[1], leaf.transcript[3]
    assert [mark.criterion_id for mark in first.marks] == ["leaves", "freed", "hook"]
    assert [(mark.start, mark.end, mark.number) for mark in second.marks] == [(0, len(second.text), 3)]


def test_what_was_contradicted_is_corrected(sample: Findings) -> None:
    (correction,) = sample.questions[1].corrections
    assert correction.right == "Each process averages its gradients with all others by an all-reduce."
    assert correction.quotes[0].text.startswith("Rank zero collects")
    assert [item.criterion_id for item in sample.questions[1].to_add] == ["average", "overlap"]
    assert sample.questions[0].corrections == ()


def test_a_gap_that_was_drilled_quotes_the_reply() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    a = tell.answer(q, "The loop waits for data.")
    tell.grade(q, a, [(MET, 0.9, "The loop waits for data."), (MISSING, 0.1, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "pinned", "And the copy itself?")
    a = tell.answer(q, "No idea. Sorry.", f)
    tell.grade(q, a, [(MET, 0.9, "The loop waits for data."), (MISSING, 0.1, "")])
    (gap,) = report(tell).gaps
    assert gap.asked == "And the copy itself?"
    assert [(quote.text, quote.role, quote.answer_id) for quote in gap.quotes] == [("No idea.", QuoteRole.REPLY, a)]


def test_an_ungraded_follow_up_leaves_no_final_score_and_names_no_gap() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    a = tell.answer(q, "The loop waits for data.")
    tell.grade(q, a, [(MET, 0.9, "The loop waits for data."), (MISSING, 0.1, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "pinned", "And the copy itself?")
    second = tell.answer(q, "Pin the memory.", f)
    (asked,) = (found := report(tell)).questions
    assert asked.status is QuestionStatus.PARTLY_GRADED
    assert asked.unaided == pytest.approx((0.9 * 2 + 0.1) / 3)
    assert (asked.final, asked.final_note) == (None, "it had not been graded yet when this report was made")
    assert found.gaps == ()
    assert [(item.answer_id, item.criterion_id) for item in asked.ungraded] == [(second, None)]
    assert (found.overall.final, found.overall.without_mark) == (None, 1)


def test_help_is_told_by_the_words_where_the_unaided_answer_was_never_graded() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    tell.answer(q, "The loop waits for data.")
    f = tell.follow_up(q, FollowUpKind.UNGRADED, "pinned", "And the copy itself?")
    a = tell.answer(q, "Pin the memory.", f)
    tell.grade(q, a, [(MET, 0.9, "The loop waits for data."), (MET, 0.9, "Pin the memory.")])
    (asked,) = (found := report(tell)).questions
    assert [c.reached for c in asked.criteria] == [AssistanceLevel.UNAIDED, AssistanceLevel.AFTER_FOLLOW_UP]
    assert (asked.unaided, asked.final) == (None, pytest.approx(0.9))
    assert [item.criterion_id for item in found.strengths] == ["blocked", "pinned"]


def test_a_point_lost_and_met_again_counts_from_when_it_stayed() -> None:
    tell = Telling(Plan(follow_ups=2))
    q = tell.ask(question("one", [("c", "A point.", 1)]))
    a = tell.answer(q, "Yes it is.")
    tell.grade(q, a, [(MET, 0.9, "Yes it is.")])
    f = tell.follow_up(q, FollowUpKind.UNSURE, "c", "Sure?")
    a = tell.answer(q, "No it is not.", f)
    tell.grade(q, a, [(Verdict.CONTRADICTED, 0.1, "No it is not.")])
    tell.hint(q, "Think again.")
    a = tell.answer(q, "Yes after all.")
    tell.grade(q, a, [(MET, 0.9, "Yes after all.")])
    assert report(tell).questions[0].criteria[0].reached is AssistanceLevel.AFTER_HINT


def test_a_criterion_that_could_not_be_scored_takes_the_score_away_and_says_why() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    a = tell.answer(q, "The loop waits for data.")
    tell.grade(q, a, [(MET, 0.9, "The loop waits for data."), (Verdict.UNSCORED, None, "")])
    (asked,) = (found := report(tell)).questions
    assert asked.final is None
    assert asked.final_note == "1 point could not be scored: the judge gave no usable answer"
    assert found.made.unscored[0].criterion_id == "pinned"
    assert [item.criterion_id for item in found.strengths] == ["blocked"]
    assert found.made.criteria_unsure == 0


def test_a_late_mark_is_counted_and_its_failure_is_not() -> None:
    tell = telling()
    tell.grade("q5", "q5-a1", [(MET, 0.9, "tiny gradients turn into zero"), (MISSING, 0.1, ""), (MISSING, 0.2, "")])
    found = report(tell)
    assert found.questions[4].final == pytest.approx((0.9 * 2 + 0.1 * 2 + 0.2) / 5)
    assert found.made.unscored == ()
    assert found.seconds == report(telling()).seconds


def test_nothing_graded_gives_no_score_at_all() -> None:
    tell = Telling()
    tell.answer(tell.ask(MIXED), "Something.")
    tell.skip(tell.ask(LOADER))
    found = report(tell)
    assert (found.overall.unaided, found.overall.final) == (None, None)
    assert (found.strengths, found.gaps, found.fix, found.made.judges) == ((), (), None, ())


def test_an_empty_interview_is_reported_as_empty() -> None:
    for state in (State(), Telling().state):
        found = findings("s1", state)
        assert (found.overall.asked, found.started, found.last, found.seconds) == (0, None, None, 0.0)
        assert (found.questions, found.topics, found.overall.final) == ((), (), None)


def test_how_it_was_made_names_judge_rubrics_and_what_is_unscored(sample: Findings) -> None:
    (judge,) = sample.made.judges
    assert (judge.judge, judge.model, len(judge.digest)) == ("state-head/1", "sample-1.5b", 64)
    assert LEAF.rubric is not None
    assert sample.made.rubrics[0].version == LEAF.rubric.version
    assert [(rubric.number, rubric.as_asked) for rubric in sample.made.rubrics] == [(1, True), (2, True), (3, True)]
    assert [(item.number, item.reason) for item in sample.made.unscored] == [(5, "The model server stopped answering.")]
    assert sample.made.grading_seconds == 2.5 * 5
    assert sample.started is not None
    assert sample.started > START


def test_evidence_that_runs_over_two_answers_is_quoted_from_both() -> None:
    tell = Telling()
    q = tell.ask(question("one", [("c", "A point.", 1)]))
    tell.answer(q, "First half,")
    a = tell.answer(q, "second half.")
    tell.grade(q, a, [(MET, 0.9, "half,\n\nsecond")])
    quotes = report(tell).questions[0].criteria[0].quotes
    assert [(quote.answer_id, quote.text) for quote in quotes] == [("q1-a1", "half,"), ("q1-a2", "second")]


def test_the_same_journal_in_another_order_gives_the_same_findings(sample: Findings) -> None:
    events = telling().events
    assert findings("s1", fold(reversed(events))) == sample


def contradicted_and_missing(*, asked_about: bool) -> Telling:
    """A light point that was contradicted beside a heavy one that is missing."""
    tell = Telling()
    q = tell.ask(question("q", [("light", "A light point.", 1), ("heavy", "A heavy point.", 3)]))
    marks = [(Verdict.CONTRADICTED, 0.1, "It is the other way round."), (MISSING, 0.1, "")]
    a = tell.answer(q, "It is the other way round.")
    tell.grade(q, a, marks)
    if asked_about:
        f = tell.follow_up(q, FollowUpKind.CONTRADICTION, "light", "Is it?")
        tell.grade(q, tell.answer(q, "Yes.", f), marks)
    tell.close(q)
    return tell


@pytest.mark.parametrize("asked_about", [True, False])
def test_a_sure_contradiction_is_fixed_before_what_is_missing(asked_about: bool) -> None:
    found = report(contradicted_and_missing(asked_about=asked_about))
    assert found.gaps[0].criterion_id == "light"
    assert found.fix is not None
    assert found.fix.criterion_id == "light"
    assert found.study[0].criterion_id == "light"


def test_a_contradiction_that_was_set_by_hand_is_fixed_first() -> None:
    tell = contradicted_and_missing(asked_about=False)
    tell.override("q1", "light", Verdict.CONTRADICTED, "Ada")
    assert report(tell).gaps[0].criterion_id == "light"


def test_the_transcript_has_what_was_replied_to_an_answer() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("point", "The point.", 1.0)]))
    answer = tell.answer(q, "It is the point. Should I go on?")
    told = findings("s1", tell.state, replies={answer: "Yes, please."}).questions[0].transcript
    assert [(turn.kind, turn.text) for turn in told][-2:] == [
        (TurnKind.ANSWER, "It is the point. Should I go on?"),
        (TurnKind.REPLY, "Yes, please."),
    ]
    assert findings("s1", tell.state).questions[0].transcript == told[:-1]
