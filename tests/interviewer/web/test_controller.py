from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interviewer.planning.agenda import InterviewOptions
from interviewer.session.events import AnswerGiven, QuestionSkipped
from interviewer.session.journal import SessionSummary
from interviewer.session.plan import Mode, Plan
from interviewer.session.state import State
from interviewer.web.view_state import name_of, render, turn_of
from knowledge.model import Kind, Level
from serving.errors import BadInputError
from tests.interviewer.builders import question
from tests.interviewer.web.holding import SHELF, Gate, begin, controller, until


def answers(state: State) -> list[str]:
    return [answer.text for asked in state.asked for answer in asked.answers]


def test_starting_twice_from_one_page_makes_one_interview(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, first = begin(at)
        again = at.start(session, InterviewOptions(topics=("tensors",), length=4), SHELF.questions())
        assert again == first
        assert len(at.past.all()) == 1


def test_what_is_used_up_is_told_and_all_that_was_begun_goes_on(tmp_path: Path) -> None:
    with controller(tmp_path, most_a_day=2) as at:
        session, _ = begin(at)
        at.practice(at.new_session(), "leaves", Level.MID)
        wish = InterviewOptions(length=1, talks=False)
        for refused in (
            lambda: at.start(at.new_session(), wish, SHELF.questions()),
            lambda: at.practice(at.new_session(), "leaves", Level.MID),
            lambda: at.tell_story(question("quarrel", kind=Kind.BEHAVIORAL), "We had a row. " * 20, at.new_session()),
        ):
            with pytest.raises(BadInputError, match="You have begun 2 interviews within 24 hours"):
                refused()
        assert len(at.past.all()) == 2
        # A second click, an answer, and the end.
        turn = turn_of(at.start(session, wish, SHELF.questions()))
        assert not at.act(session, turn, "answer", "leaf graph hook").note
        assert at.act(session, turn_of(at.state(session)), "end").state.ended
    # The same person after the page was started again.
    with controller(tmp_path, most_a_day=2) as at, pytest.raises(BadInputError, match="within 24 hours"):
        at.start(at.new_session(), wish, SHELF.questions())
    with controller(tmp_path) as at:
        assert at.start(at.new_session(), wish, SHELF.questions()).asked


def test_tabs_that_begin_at_once_share_what_is_left(tmp_path: Path) -> None:
    def start(_: int) -> bool:
        try:
            begin(at)
        except BadInputError:
            return False
        return True

    with controller(tmp_path, most_a_day=3) as at, ThreadPoolExecutor(6) as tabs:
        assert sum(tabs.map(start, range(6))) == 3
        assert len(at.past.all()) == 3


def test_ids_of_interviews_cannot_be_guessed(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        ids = {at.new_session() for _ in range(50)}
    assert len(ids) == 50
    assert min(map(len, ids)) >= 20


@pytest.mark.parametrize(
    "name",
    ["", "x", "mine", "A" * 32, "g" * 32, "0" * 31, "0" * 33, "0" * 31 + "\n", "٣" * 32, "../" * 11, "x" * 10**5],
)
def test_an_interview_is_begun_under_no_other_name_than_ours(tmp_path: Path, name: str) -> None:
    with controller(tmp_path) as at:
        wish = InterviewOptions(length=1, talks=False)
        with pytest.raises(BadInputError, match="cannot be started under this name"):
            at.start(name, wish, SHELF.questions())
        with pytest.raises(BadInputError, match="cannot be started under this name"):
            at.practice(name, "leaves", Level.MID)
        assert at.past.all() == []
        assert at.start("0123456789abcdef" * 2, wish, SHELF.questions()).asked


@pytest.mark.parametrize("request_id", ["", "x" * 151, "a:b", "naïve", "a\nb", "a\x1b[31m"])
def test_a_request_has_a_plain_name(tmp_path: Path, request_id: str) -> None:
    with controller(tmp_path) as at:
        session, _ = begin(at)
        with pytest.raises(BadInputError, match="A request id has"):
            at.write_notes(session, "mine", request_id)
        at.write_notes(session, "mine", "0123456789abcdef01234567")
        assert at.notes_of(session) == "mine"


def test_an_answer_sent_twice_counts_once(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        first = at.act(session, turn, "answer", "It is the leaf.")
        second = at.act(session, turn, "answer", "It is the leaf.")
        assert not first.note
        assert not second.note
        assert answers(at.state(session)) == ["It is the leaf."]


def test_a_second_click_on_skip_skips_one_question(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at, length=3)
        turn = turn_of(state)
        at.act(session, turn, "skip")
        at.act(session, turn, "skip")
        state = at.state(session)
        skipped = [event for asked in state.asked for event in asked.turns if isinstance(event, QuestionSkipped)]
        assert len(skipped) == 1
        assert len(state.asked) == 2


def test_an_answer_meant_for_an_earlier_question_is_refused_and_told(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        old = turn_of(state)
        at.act(session, old, "skip")
        outcome = at.act(session, old, "answer", "About the first question.")
        assert "moved on" in outcome.note
        assert answers(outcome.state) == []


def test_another_answer_to_the_same_turn_is_refused_and_told(tmp_path: Path) -> None:
    gate = Gate()
    with controller(tmp_path, before=gate) as at:
        session, state = begin(at)
        turn = turn_of(state)
        at.act(session, turn, "answer", "From one tab.")
        outcome = at.act(session, turn, "answer", "From another tab.")
        gate.open.set()
        assert "moved on" in outcome.note
        assert answers(outcome.state) == ["From one tab."]


def test_an_answer_that_also_asks_for_the_time_is_taken_without_a_word_of_another_tab(tmp_path: Path) -> None:
    text = "Only the leaf keeps its gradient, the others are computed and thrown away.  How much time do I have left?"
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        outcome = at.act(session, turn, "answer", text)
        assert outcome.note == ""
        assert at.act(session, turn, "answer", text).note == ""
        assert "moved on" in at.act(session, turn, "answer", "From another tab.").note
        assert answers(outcome.state) == ["Only the leaf keeps its gradient, the others are computed and thrown away."]


@pytest.mark.parametrize("text", ["", "  \n ", "a\x00b", "x" * 100_000])
def test_what_cannot_be_taken_is_told_and_changes_nothing(tmp_path: Path, text: str) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        outcome = at.act(session, turn_of(state), "answer", text)
        assert outcome.note.startswith("The answer")
        assert outcome.state == state


def test_hints_and_repeats_come_once_a_click(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        hinted = at.act(session, turn, "hint").state
        assert at.act(session, turn, "hint").state == hinted
        assert turn_of(hinted) != turn
        repeated = at.act(session, turn_of(hinted), "repeat").state
        assert len(repeated.asked[0].turns) == 3


def test_ending_twice_is_no_trouble(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        assert at.act(session, turn, "end").state.ended
        assert at.act(session, turn, "end").note == ""


def test_an_unknown_interview_is_said_to_be_unknown(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        assert at.find("nonsense") is None
        assert at.resume("nonsense") is None
        with pytest.raises(BadInputError, match="no interview at this address"):
            at.act("nonsense", "turn", "skip")


def test_after_a_restart_an_interview_goes_on_where_it_stood(tmp_path: Path) -> None:
    gate = Gate()
    with controller(tmp_path, before=gate) as at:
        session, state = begin(at)
        at.act(session, turn_of(state), "answer", "It is the leaf.")
        assert at.state(session).asked[0].grades == ()
        # The first assigned goes away with the answer in the middle of being graded.
    gate.open.set()
    with controller(tmp_path) as at:
        resumed = at.resume(session)
        assert resumed is not None
        assert answers(resumed) == ["It is the leaf."]
        until(lambda: len(at.state(session).asked[0].grades) == 1)


def test_earlier_interviews_are_named_by_time_topics_and_place() -> None:
    now = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
    summary = SessionSummary(
        id="x",
        started=now - timedelta(hours=2),
        last_activity=now - timedelta(hours=1),
        plan=Plan(topics=("autograd", "tensors"), length=5),
        asked=2,
        ended=False,
        ungraded=0,
    )
    assert name_of(summary, now) == "Today, 1:00 PM · autograd, tensors · question 2 of 5"
    assert name_of(summary, now + timedelta(days=1)).startswith("Mon, Mar 2, 1:00 PM")
    over = summary.model_copy(update={"ended": True, "plan": Plan()})
    assert name_of(over, now).endswith("all topics · finished")


def test_answers_keep_the_id_of_their_request(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        state = at.act(session, turn, "answer", "leaf").state
        given = [event for event in state.asked[0].turns if isinstance(event, AnswerGiven)]
        assert [event.id for event in given] == [f"answer-{turn}"]


def test_a_pause_is_a_turn_of_its_own(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        paused, note = at.act(session, turn, "pause")
        assert paused.paused
        assert not note
        assert at.act(session, turn, "pause").state == paused
        assert "moved on" in at.act(session, turn, "answer", "leaf").note
        _, note = at.act(session, turn_of(paused), "answer", "leaf")
        assert "paused" in note
        assert not at.act(session, turn_of(paused), "go on").state.paused


def test_talks_are_held_on_the_page(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session = at.new_session()
        state = at.start(session, InterviewOptions(length=1, follow_ups=0), SHELF.questions())
        view = render(state)
        assert "Warm-up" in view.progress_html
        assert view.listening
        assert not view.hints
        turn = turn_of(state)
        state, note = at.act(session, turn, "answer", "<b>I built things.</b>")
        assert not note
        assert not at.act(session, turn, "answer", "<b>I built things.</b>").note
        assert "moved on" in at.act(session, turn, "answer", "Something else.").note
        assert "&lt;b&gt;I built things.&lt;/b&gt;" in render(state).transcript_html
        state, _ = at.act(session, turn_of(state), "skip")
        assert "Your questions" in render(state).progress_html
        turn = turn_of(state)
        state, _ = at.act(session, turn, "skip")
        assert state.ended is not None
        assert not at.act(session, turn, "skip").note


def test_in_an_exam_no_mark_is_shown_before_the_end(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session = at.new_session()
        wish = InterviewOptions(length=2, talks=False, follow_ups=0, mode=Mode.EXAM)
        state = at.start(session, wish, SHELF.questions())
        at.act(session, turn_of(state), "answer", "leaf stride mean")

        def second() -> bool:
            found = at.find(session)
            return found is not None and len(found.asked) == 2

        until(second)
        state = at.look(session, "")
        assert state is not None
        view = render(state)
        assert state.asked[0].grades
        assert "Marks" not in view.transcript_html
        assert "strong answer" not in view.transcript_html
        assert not view.hints
        state, _ = at.act(session, turn_of(state), "end")
        assert "Marks" in render(state).transcript_html


def test_a_request_in_words_moves_the_turn_and_a_second_click_does_nothing(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turn = turn_of(state)
        state, note = at.act(session, turn, "answer", "one moment please")
        assert not note
        assert turn_of(state) != turn
        assert at.act(session, turn, "answer", "one moment please").state == state
        assert "moved on" in at.act(session, turn, "answer", "leaf").note
        assert not at.act(session, turn_of(state), "answer", "leaf").note


def test_a_page_that_watches_is_told_what_changed_and_nothing_else(tmp_path: Path) -> None:
    gate = Gate()
    with controller(tmp_path, before=gate) as at:
        session, state = begin(at)
        seen = render(state).digest
        assert at.look(session, seen) is None
        assert at.look(session, "another page") == state
        assert at.look("unknown", seen) is None
        answered = at.act(session, turn_of(state), "answer", "It is the leaf.").state
        assert at.look(session, seen) == answered
        seen = render(answered).digest
        assert at.look(session, seen) is None
        gate.open.set()
        until(lambda: (now := at.look(session, seen)) is not None and now == at.state(session))
