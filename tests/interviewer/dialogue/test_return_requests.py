"""A question that was left is asked again: when, how often, on which clock, and what is shown and reported of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.return_requests import possible
from interviewer.engine.service import InterviewService
from interviewer.planning.ability import evidence
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.questions import question_finding
from interviewer.report.analysis.timeline import timeline
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.question import QuestionStatus, TurnKind
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.events import AsideTaken, CorrectionRaised, QuestionReturned, ReturnWished
from interviewer.session.plan import Mode, Plan, SegmentKind
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.intent import Intent
from interviewer.web.view_state import render, turn_of
from interviewer.web.views.interview.transcript import transcript_html
from interviewer.web.voice.spoken_lines import all_lines
from knowledge.model import Kind
from rubric.coding.task import CodingTask
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, Watch, question, say

TASK = CodingTask(
    starter="def unit(x):\n    return x\n",
    solution="def unit(x):\n    return x / x.norm()\n",
    tests="def example_one(t):\n    yield {}, unit(t)\n",
)
BANK = [
    question(
        "q1", text="What is a leaf tensor?", keywords=("alpha", "beta", "gamma"), reference="A leaf tensor is a root."
    ),
    question("q2", topic="training", text="Why does momentum help?"),
    question("q3", topic="loading", text="How many workers should load data?"),
    question("q4", kind=Kind.CODING, text="Write a function that divides by the norm.", task=TASK),
]
PLAN = Plan(question_ids=("q1", "q2", "q3"), follow_ups=1)
EXAM = PLAN.model_copy(update={"mode": Mode.EXAM})
BOTH = pytest.mark.parametrize("plan", [PLAN, EXAM], ids=["practice", "exam"])
BACK = "Can we go back to the one I skipped?"


def open_number(state: State) -> int | None:
    return state.current.number if state.current else None


@BOTH
def test_the_one_that_was_skipped_is_asked_again_once_the_open_one_is_closed(
    service: InterviewService, plan: Plan
) -> None:
    session = service.start(plan)
    state = say(service, session, "skip", BACK)
    assert open_number(state) == 2
    wish = state.asked[1].turns[-1]
    assert isinstance(wish, ReturnWished)
    assert (wish.to_id, wish.words) == (state.asked[0].asked_id, BACK)
    assert "one" in wish.said
    state = say(service, session, "alpha beta")
    assert open_number(state) == 1
    assert isinstance(next_action(state), Listen)
    returned = state.asked[0].turns[-1]
    assert isinstance(returned, QuestionReturned)
    assert "What is a leaf tensor?" in returned.said
    state = say(service, session, "alpha beta gamma")
    assert [asked.closed for asked in state.asked] == [True, True, False]
    assert state.asked[0].grades[-1].grade.score == pytest.approx(1.0)
    assert not state.asked[0].left


def test_who_leaves_the_open_one_too_goes_back_at_once_and_may_return_to_it(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", "leave this one, let's go back to the one I skipped")
    assert open_number(state) == 1
    assert state.asked[1].skipped
    state = say(service, session, "let's go back to question two", "alpha beta gamma")
    assert open_number(state) == 2
    assert open_number(say(service, session, "alpha beta")) == 3


@BOTH
def test_later_brings_it_back_before_the_end_and_before_their_questions(service: InterviewService, plan: Plan) -> None:
    session = service.start(plan.model_copy(update={"talks": True}))
    state = say(service, session, "I train models.", "let me come back to that later")
    assert state.asked[0].later
    assert any(words in state.asked[1].turns[0].model_dump()["said"] for words in templates.AFTER_LATER)
    state = say(service, session, "alpha beta", "alpha beta")
    assert open_number(state) == 1
    state = say(service, session, "alpha beta gamma")
    assert state.segment is not None
    assert state.segment.part is SegmentKind.THEIR_QUESTIONS


def test_when_no_question_is_left_to_ask_the_one_kept_for_later_comes_first(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "few.db") as journal,
        InterviewService(journal, Shelf(BANK[:2]), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(Plan(length=5, follow_ups=0))
        state = say(service, session, "let me come back to this later", "alpha beta")
        assert state.ended is None
        assert open_number(state) == 1
        ended = say(service, session, "alpha beta").ended
        assert ended is not None
        assert ended.reason == "no questions left"


def test_it_is_asked_again_at_most_once_and_said_kindly(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", BACK, "alpha beta", "skip", BACK)
    aside = state.asked[2].turns[-1]
    assert isinstance(aside, AsideTaken)
    assert (aside.intent, aside.said) == (Intent.RETURN, templates.NO_WAY_BACK["twice"])
    state = say(service, session, "alpha beta")
    assert state.ended is not None
    assert sum(isinstance(turn, QuestionReturned) for turn in state.asked[0].turns) == 1
    assert state.asked[0].left


@pytest.mark.parametrize(
    ("before", "words", "why"),
    [
        ((), BACK, "nothing left"),
        (("alpha beta gamma",), BACK, "nothing left"),
        (("skip",), "go back to question two", "present"),
        (("I don't know", "I don't know"), BACK, "shown"),
    ],
)
def test_where_there_is_no_way_back_the_reason_is_told(
    service: InterviewService, before: tuple[str, ...], words: str, why: str
) -> None:
    session = service.start(PLAN)
    state = say(service, session, *before, words)
    aside = state.asked[-1].turns[-1]
    assert isinstance(aside, AsideTaken)
    assert aside.said == templates.NO_WAY_BACK[why]
    assert state.returns == ()


def test_what_is_said_after_going_back_to_an_answered_question_is_added_there(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "alpha beta gamma", "go back to the previous question")
    raised = state.asked[-1].turns[-1]
    assert isinstance(raised, CorrectionRaised)
    assert raised.said == templates.ADD_TO.format(number="one")
    state = say(service, session, "Alpha comes before beta.")
    assert [answer.text for answer in state.asked[0].answers][-1] == "Alpha comes before beta."
    assert open_number(state) == 2


def test_in_an_exam_who_did_not_know_may_go_back(service: InterviewService) -> None:
    session = service.start(EXAM)
    state = say(service, session, "I don't know", "I don't know", BACK, "alpha beta")
    assert open_number(state) == 1
    found = question_finding(say(service, session, "alpha beta gamma").asked[0])
    assert (found.status, found.skipped, found.came_back) == (QuestionStatus.GRADED, False, True)


def test_the_button_does_what_the_words_do_and_refuses_where_it_cannot_be(service: InterviewService) -> None:
    session = service.start(PLAN)
    with pytest.raises(BadInputError, match="nothing to go back to"):
        service.go_back(session, "b")
    service.skip(session, "s")
    state = service.go_back(session, "b")
    assert service.go_back(session, "b") == state
    assert open_number(say(service, session, "alpha beta")) == 1


def test_the_last_one_that_was_skipped_can_be_gone_back_to_from_their_questions(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"question_ids": ("q1",), "talks": True}))
    state = say(service, session, "I train models.", "skip")
    assert state.segment is not None
    assert render(state).returnable
    state = say(service, session, BACK)
    assert state.segment is None
    assert open_number(state) == 1
    state = say(service, session, "alpha beta gamma")
    assert state.segment is not None
    assert state.segment.turns[-1].model_dump()["said"] == templates.BACK_TO_YOURS
    assert "Can we go back to the one I skipped?" in transcript_html(state)
    assert BACK in render_markdown(findings(session, state))
    assert say(service, session, "No, thank you.").ended is not None


def test_what_was_answered_out_of_the_documents_closes_the_way_back(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"question_ids": ("q1",), "talks": True}))
    state = say(service, session, "I train models.", "skip", "What is a leaf tensor?")
    assert "A leaf tensor is a root." in state.segments[-1].turns[-1].model_dump()["said"]
    assert not possible(state)
    state = say(service, session, BACK)
    assert state.segments[-1].turns[-1].model_dump()["said"] == templates.NO_WAY_BACK["shown"]


def test_time_and_follow_ups_are_counted_over_both_times(service: InterviewService, watch: Watch) -> None:
    plan = PLAN.model_copy(update={"minutes": 60})
    session = service.start(plan)
    watch.wait(100)
    say(service, session, "alpha", "skip the whole question")
    assert len(service.state(session).asked[0].follow_ups) == 1
    watch.wait(50)
    say(service, session, BACK, "alpha beta")
    watch.wait(60 * BANK[0].minutes - 100 - 10)
    state = service.state(session)
    assert open_number(state) == 1
    assert not state.asked[0].time_called
    assert not service.call_time(session).asked[0].time_called
    watch.wait(20)
    state = service.call_time(session)
    assert state.asked[0].time_called
    state = say(service, session, "beta")
    assert len(state.asked[0].follow_ups) == 1
    assert state.asked[0].active_s == pytest.approx(60 * BANK[0].minutes + 10, abs=1)
    assert state.asked[1].active_s == pytest.approx(50, abs=1)


def test_in_an_exam_whom_the_clock_moved_on_has_a_last_word(service: InterviewService, watch: Watch) -> None:
    session = service.start(EXAM.model_copy(update={"minutes": 60, "follow_ups": 3}))
    watch.wait(60 * BANK[0].minutes + 1)
    state = say(service, session, "alpha", "can we go back to the one we ran out of time on", "alpha beta")
    assert open_number(state) == 1
    assert templates.LAST_WORD in state.asked[0].turns[-1].model_dump()["said"]
    watch.wait(30)
    service.call_time(session)
    state = say(service, session, "beta")
    assert state.asked[0].closed
    assert state.asked[0].follow_ups == ()
    assert state.asked[0].grades[-1].graded_text == "alpha\n\nbeta"


def test_in_practice_marks_of_what_the_clock_cut_short_are_shown_so_it_stays(
    service: InterviewService, watch: Watch
) -> None:
    session = service.start(PLAN.model_copy(update={"minutes": 60, "follow_ups": 3}))
    watch.wait(60 * BANK[0].minutes + 1)
    state = say(service, session, "alpha", "can we go back to the previous question")
    assert state.asked[1].turns[-1].model_dump()["said"] == templates.NO_WAY_BACK["shown"]
    assert "A leaf tensor is a root." in transcript_html(state)


def test_the_clock_may_not_allow_it(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN.model_copy(update={"minutes": 10}))
    service.skip(session, "s")
    watch.wait(540)
    service.repeat(session, "r")
    state = say(service, session, BACK)
    assert state.asked[1].turns[-1].model_dump()["said"] == templates.NO_WAY_BACK["no time"]
    ended = say(service, session, "alpha beta").ended
    assert ended is not None
    assert ended.reason == "time is up"


def test_nothing_of_the_answer_is_shown_as_long_as_there_is_a_way_back(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "alpha", "skip the whole question")
    html = transcript_html(state)
    assert "A leaf tensor is a root." not in html
    assert "The answer names beta." not in html
    assert "You can come back to this one" in html
    assert "A leaf tensor is a root." not in transcript_html(say(service, session, BACK, "alpha beta"))
    assert "A leaf tensor is a root." in transcript_html(say(service, session, "beta gamma"))
    service.skip(session, "last")
    assert "A leaf tensor is a root." in transcript_html(service.state(session))


def test_what_was_said_before_and_after_counts_together_and_the_open_follow_up_is_asked_again(
    service: InterviewService,
) -> None:
    session = service.start(PLAN)
    state = say(service, session, "alpha")
    asked_last = state.asked[0].follow_ups[0].said
    state = say(service, session, "let me come back to this later", "alpha beta", "alpha beta")
    assert asked_last in state.asked[0].turns[-1].model_dump()["said"]
    state = say(service, session, "beta gamma")
    assert state.ended is not None
    found = question_finding(state.asked[0])
    assert found.final == pytest.approx(1.0)
    reached = {point.id: point.reached for point in found.criteria}
    assert reached == {
        "c-alpha": AssistanceLevel.UNAIDED,
        "c-beta": AssistanceLevel.AFTER_FOLLOW_UP,
        "c-gamma": AssistanceLevel.LATER,
    }


def test_the_report_tells_it_once_and_as_it_was(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN)
    watch.wait(10)
    say(service, session, "skip", BACK)
    watch.wait(100)
    say(service, session, "alpha beta")
    watch.wait(30)
    state = say(service, session, "alpha beta gamma", "skip")
    made = findings(session, state)
    assert [found.number for found in made.questions] == [1, 2, 3]
    kinds = [turn.kind for turn in made.questions[0].transcript]
    assert kinds == [TurnKind.QUESTION, TurnKind.WISH, TurnKind.SKIP, TurnKind.QUESTION, TurnKind.ANSWER]
    written = render_markdown(made)
    assert "graded, set aside at first and answered later" in written
    assert made.overall.skipped == 1
    row = timeline(made).rows[0]
    assert len(row.spans) == 2
    assert row.seconds == pytest.approx(40, abs=1)


def test_the_page_names_the_turn_and_the_question_that_is_open(service: InterviewService) -> None:
    session = service.start(PLAN)
    turns = [turn_of(service.state(session))]
    assert not render(service.state(session)).returnable
    for words in ("skip", BACK, "alpha beta", "skip"):
        state = say(service, session, words)
        turns.append(turn_of(state))
        if open_number(state) == 1:
            view = render(state)
            assert view.number == 1
            assert "Question 1 of 3, again" in view.progress_html
            assert "leaf tensor" in view.question_html
            assert all_lines(state)[-1].text.endswith("What is a leaf tensor?")
    assert len(set(turns)) == len(turns)
    html = transcript_html(service.state(session))
    assert "Taken as asking to go back" in html


def test_who_thinks_better_of_a_skip_at_once_means_the_one_before(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", "no wait, I have an answer")
    assert state.returns == (state.asked[0].asked_id,)


def test_the_question_about_a_subject_and_the_first_of_those_skipped_are_found(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", "skip", "go back to the question about leaf tensors")
    assert state.returns == (state.asked[0].asked_id,)
    state = say(service, session, "let's go back to the second one I skipped")
    assert state.returns == (state.asked[0].asked_id, state.asked[1].asked_id)


def test_to_leave_a_question_for_later_is_no_failure_yet(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "let me come back to this later")
    assert evidence(state) == ()
    assert evidence(service.end(session, "end")) != ()


def test_a_drill_goes_on_where_it_was_left(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"drill": True}))
    state = say(service, session, "alpha", "nothing of it")
    told = [shown.criterion_id for shown in state.asked[0].shown]
    assert told == ["c-beta"]
    state = say(service, session, "let me come back to this later", "alpha beta", "alpha beta")
    assert open_number(state) == 1
    state = say(service, session, "gamma")
    assert state.asked[0].closed
    assert [shown.criterion_id for shown in state.asked[0].shown] == told


def test_code_that_was_left_is_in_the_editor_again(service: InterviewService) -> None:
    plan = PLAN.model_copy(update={"editor": True, "question_ids": ("q4", "q2")})
    session = service.start(plan)
    state = say(service, session, "let me come back to this later", "alpha beta")
    assert open_number(state) == 1
    assert isinstance(next_action(state), Listen)
    assert render(state).task == state.asked[0].asked_id
    state = service.finish(session, "done")
    assert state.ended is not None
