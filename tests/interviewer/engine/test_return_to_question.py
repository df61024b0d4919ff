"""Who leaves the last question of an interview without a questions part is offered to go back before it ends."""

from __future__ import annotations

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.return_requests import possible
from interviewer.engine.service import InterviewService
from interviewer.report.analysis.findings import findings
from interviewer.report.phrases.common import TALKS
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.session.plan import Mode, Plan, SegmentKind
from interviewer.session.state import State
from interviewer.understanding.segment_cues import agrees, wants_to_end
from interviewer.web.view_state import render
from interviewer.web.views.interview.transcript import transcript_html
from interviewer.web.voice.spoken_lines import all_lines
from tests.interviewer.builders import Watch, question
from tests.interviewer.dialogue.test_return_requests import open_number, say

BANK = [
    question("q1", text="What is a leaf tensor?", keywords=("alpha", "beta", "gamma"), reference="A leaf is a root."),
    question("q2", topic="training", text="Why does momentum help?"),
]
PLAN = Plan(question_ids=("q1", "q2"), follow_ups=0)
ALL = "alpha beta gamma"


def reason(state: State) -> str | None:
    return state.ended.reason if state.ended else None


@pytest.mark.parametrize("mode", [Mode.PRACTICE, Mode.EXAM])
@pytest.mark.parametrize("words", ["yes", "Yes, please.", "let's go back", "I know it now", ""])
def test_who_says_so_or_presses_the_button_goes_back_and_then_it_ends(
    service: InterviewService, mode: Mode, words: str
) -> None:
    session = service.start(PLAN.model_copy(update={"mode": mode}))
    say(service, session, ALL)
    service.skip(session, "s")
    state = service.state(session)
    assert state.segment is not None
    assert state.segment.part is SegmentKind.WAY_BACK
    assert "question two" in all_lines(state)[-1].text
    view = render(state)
    assert view.listening
    assert view.returnable
    assert TALKS[SegmentKind.WAY_BACK] in view.progress_html
    state = say(service, session, words) if words else service.go_back(session, "b")
    assert open_number(state) == 2
    assert reason(say(service, session, ALL)) == "completed"


@pytest.mark.parametrize("words", ["no", "No, thank you.", "let's end here", "skip", ""])
def test_who_declines_or_skips_that_too_is_done(service: InterviewService, words: str) -> None:
    session = service.start(PLAN)
    say(service, session, ALL, "skip")
    state = say(service, session, words) if words else service.skip(session, "s")
    assert reason(state) == "completed"
    assert state.asked[1].skipped
    assert findings(session, state).overall.skipped == 1


def test_all_that_were_left_are_offered_one_after_the_other(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "skip", "skip", "yes", ALL)
    assert state.segment is not None
    assert state.segment.turns[-1].model_dump()["said"] == templates.STILL_LEFT.format(number="one")
    assert open_number(say(service, session, "yes")) == 1
    state = say(service, session, ALL)
    assert reason(state) == "completed"
    assert [asked.grades[-1].grade.score for asked in state.asked] == pytest.approx([1.0, 1.0])


def test_who_names_another_one_goes_back_to_that(service: InterviewService) -> None:
    session = service.start(PLAN)
    assert open_number(say(service, session, "skip", "skip", "let's go back to question one")) == 1


def test_who_says_neither_is_asked_again_and_not_for_ever(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, ALL, "skip", "It smooths the steps.")
    assert state.segment is not None
    assert state.segment.turns[-1].model_dump()["said"] == templates.BACK_OR_END
    assert possible(state)
    assert reason(say(service, session, "It smooths them.", "The steps, I mean.")) == "completed"


def test_it_is_offered_where_the_bank_had_no_more_questions(service: InterviewService) -> None:
    session = service.start(Plan(length=5, follow_ups=0))
    state = say(service, session, ALL, "skip")
    assert state.segment is not None
    assert state.segment.part is SegmentKind.WAY_BACK
    assert reason(say(service, session, "no")) == "no questions left"


def test_it_is_not_offered_to_who_answered_last_nor_where_it_was_asked_twice(service: InterviewService) -> None:
    session = service.start(PLAN)
    assert reason(say(service, session, "skip", ALL)) == "completed"
    session = service.start(PLAN)
    assert reason(say(service, session, ALL, "skip", "yes", "skip")) == "completed"


def test_it_is_not_offered_where_the_clock_does_not_allow_it(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN.model_copy(update={"minutes": 10, "question_ids": ("q1",)}))
    watch.wait(560)
    assert reason(service.skip(session, "s")) == "completed"


def test_who_says_yes_once_the_time_is_used_up_is_told_and_it_ends(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN.model_copy(update={"minutes": 10, "question_ids": ("q1",)}))
    assert service.skip(session, "s").segment is not None
    watch.wait(560)
    # The time is read off the latest event.
    service.pause(session, "p")
    service.go_on(session, "g")
    state = say(service, session, "yes")
    assert reason(state) == "completed"
    assert state.segments[-1].turns[-1].model_dump()["said"] == templates.NO_WAY_BACK["no time"]


def test_what_was_said_there_is_in_the_transcript_and_the_report(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, ALL, "skip", "It smooths <b>the</b> steps.")
    assert "It smooths &lt;b&gt;the&lt;/b&gt; steps." in transcript_html(state)
    made = findings(session, say(service, session, "no"))
    for written in (render_markdown(made), render_html(made)):
        assert TALKS[SegmentKind.WAY_BACK] in written
        assert templates.BACK_OR_END in written


@pytest.mark.parametrize(
    ("words", "yes", "no"),
    [
        ("Okay, let's do that.", True, False),
        ("I'd like to", True, False),
        ("that one again, please", True, False),
        ("I'm done", False, True),
        ("Yes, momentum averages the gradients.", False, False),
        ("Back when I trained models, it helped.", False, False),
    ],
)
def test_yes_and_no_are_told_from_answers(words: str, yes: bool, no: bool) -> None:
    assert (agrees(words), wants_to_end(words)) == (yes, no)
