from __future__ import annotations

import re
from pathlib import Path

import pytest

from interviewer.dialogue.utterances import acknowledgment
from interviewer.session.state import State
from interviewer.web import safe_html
from interviewer.web.controller import PageController
from interviewer.web.view_state import View, is_warm, render, turn_of, warm_up_html
from serving.warmup import Step
from tests.interviewer.web.holding import Gate, begin, controller, until

ATTACK = "<script>alert(1)</script> <img src=x onerror=alert(2)> **bold** {{#if}} ${alert(3)}"


def view_of(at: PageController, session: str) -> View:
    return render(state_of(at, session))


def state_of(at: PageController, session: str) -> State:
    state = at.find(session)
    assert state is not None
    return state


def say(at: PageController, session: str, text: str) -> State:
    """Answer, and wait until it is graded and the interview listens again or is over."""
    outcome = at.act(session, turn_of(state_of(at, session)), "answer", text)
    assert not outcome.note
    until(lambda: view_of(at, session).listening or state_of(at, session).ended is not None)
    return state_of(at, session)


def test_a_fresh_interview_listens(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        _, state = begin(at)
        view = render(state)
    assert view.panel == "interview"
    assert (view.number, view.length) == (1, 2)
    assert view.listening
    assert not view.waiting
    assert "Question 1 of 2" in view.progress_html
    assert state.asked[0].question.text in view.question_html


def test_a_small_screen_shows_a_question_once_until_something_else_was_said(tmp_path: Path) -> None:
    once = 'class="question as-said"'
    with controller(tmp_path) as at:
        session, state = begin(at)
        (asked,) = state.asked
        assert asked.question.text == asked.question.spoken
        assert once in render(state).question_html
        code = asked.model_copy(update={"question": asked.question.model_copy(update={"text": "`x`"})})
        assert once not in render(state.model_copy(update={"asked": (code,)})).question_html
        hinted = at.act(session, turn_of(state), "hint").state
        assert once not in render(hinted).question_html


def test_every_question_says_why_it_is_asked_and_one_without_a_reason_says_nothing(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        _, state = begin(at)
    asked = state.asked[0]
    shown = render(state).transcript_html
    assert "Why this question?" in shown
    assert asked.turns[0].why in shown  # type: ignore[union-attr]
    for why, words in (("", None), ("<b>why</b>", "&lt;b&gt;why&lt;/b&gt;")):
        turn = asked.turns[0].model_copy(update={"why": why})
        other = state.model_copy(update={"asked": (asked.model_copy(update={"turns": (turn,)}),)})
        html = render(other).transcript_html
        assert ("Why this question?" in html) is (words is not None)
        assert words is None or words in html
        assert "<b>why" not in html


def test_an_answer_is_acknowledged_at_once_and_said_to_be_graded(tmp_path: Path) -> None:
    gate = Gate()
    with controller(tmp_path, before=gate) as at:
        session, state = begin(at)
        before = render(state)
        view = render(at.act(session, before.turn, "answer", "It is the leaf.").state)
        assert "It is the leaf." in view.transcript_html
        assert state.plan is not None
        said = acknowledgment(state.plan.seed, 0, style=state.plan.style)
        assert safe_html.text(said) in view.transcript_html
        assert "being graded" in view.transcript_html
        assert view.waiting
        assert not view.listening
        assert view.digest != before.digest
        gate.open.set()
        until(lambda: not view_of(at, session).waiting)
        assert "being graded" not in view_of(at, session).transcript_html


def test_marks_before_the_follow_up_do_not_answer_it(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        first = state.asked[0].question
        assert first.rubric is not None
        met, *others = first.rubric.criteria
        state = say(at, session, f"I say {met.id.removeprefix('c-')}.")
        html = render(state).transcript_html
        assert "follow-up" in html
        assert met.text in html
        assert all(criterion.text not in html for criterion in others)
        assert "missing" in html


def test_a_closed_question_shows_every_criterion_with_its_word_and_quote(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        first = state.asked[0].question
        assert first.rubric is not None
        names = [criterion.id.removeprefix("c-") for criterion in first.rubric.criteria]
        say(at, session, f"I say perhaps {names[0]} and <b>.")
        state = say(at, session, f"I say never {names[1]}.")
        assert state.asked[0].closed
        html = render(state).transcript_html
        for criterion in first.rubric.criteria:
            assert criterion.text in html
        assert "partly met" in html
        assert "contradicted" in html
        quotes = re.findall(r"<blockquote>(.*?)</blockquote>", html)
        assert f"perhaps {names[0]}" in quotes
        assert f"never {names[1]}" in quotes


def test_what_was_typed_is_never_html(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, _ = begin(at)
        html = render(say(at, session, ATTACK)).transcript_html
    assert "<script" not in html
    assert "<img" not in html
    assert "<strong" not in html
    assert "**bold**" in html
    assert "{{" not in html
    assert "${" not in html


def test_marks_that_arrive_do_not_change_the_turn(tmp_path: Path) -> None:
    gate = Gate()
    with controller(tmp_path, before=gate, patience_s=0.05) as at:
        session, state = begin(at)
        at.act(session, turn_of(state), "answer", "Nothing of the sort.")
        until(lambda: view_of(at, session).listening)
        before = view_of(at, session)
        assert "still being graded" in before.transcript_html
        assert "failed" not in before.transcript_html
        gate.open.set()
        until(lambda: not view_of(at, session).waiting)
        after = view_of(at, session)
    assert after.turn == before.turn
    assert after.digest != before.digest
    assert "still being graded" not in after.transcript_html


def test_every_answer_hint_and_question_is_another_turn(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        turns = [turn_of(state)]
        for action in ("hint", "repeat", "hint", "skip", "end"):
            turns.append(turn_of(at.act(session, turns[-1], action).state))  # type: ignore[arg-type]
    assert len(set(turns)) == len(turns)


def test_an_ended_interview_is_a_report(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        view = render(at.act(session, turn_of(state), "end").state)
    assert view.panel == "report"
    assert not view.listening


@pytest.mark.parametrize(
    ("steps", "words", "warm"),
    [
        ([Step(name="Judge model", state="running", detail="part 3 of 22", progress=0.25)], "part 3 of 22", False),
        ([Step(name="Judge model", state="done"), Step(name="Model server")], "step 2 of 2: Model server", False),
        ([Step(name="Judge model", state="done")], "Ready", True),
        ([], "Ready", True),
    ],
)
def test_warming_up_is_told(steps: list[Step], words: str, warm: bool) -> None:
    assert words in warm_up_html(steps)
    assert is_warm(steps) is warm


def test_progress_is_told_to_screen_readers() -> None:
    html = warm_up_html([Step(name="Judge model", state="running", progress=0.256)])
    assert 'role="progressbar"' in html
    assert 'aria-valuenow="26"' in html


def test_what_went_wrong_is_told_in_its_own_words_as_text() -> None:
    html = warm_up_html([Step(name="Model server", state="failed", message="No room <on> the disk.")])
    assert "No room &lt;on&gt; the disk." in html
    assert not is_warm([Step(name="Model server", state="failed", message="x")])


def test_a_pause_leaves_the_question_in_view(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, state = begin(at)
        at.act(session, turn_of(state), "pause")
        view = view_of(at, session)
        assert view.paused
        assert "The clock is stopped." in view.question_html
        assert state.asked[0].question.text in view.question_html
