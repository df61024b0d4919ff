"""A follow-up that the person wants to come back to is asked again, and code may be told instead of written."""

from __future__ import annotations

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.session.events import DeclineReason
from interviewer.session.plan import Plan
from interviewer.understanding.turn_parts import declines_to_write
from interviewer.understanding.turn_requests import finishes_first, puts_off
from interviewer.web.views.interview.transcript import transcript_html
from knowledge.model import Kind
from rubric.coding.task import CodingTask
from tests.interviewer.builders import question, say

BANK = [
    question("q1", text="What is a leaf tensor?", keywords=("alpha", "beta", "gamma", "delta")),
    question(
        "q2",
        kind=Kind.CODING,
        text="Write a function that divides by the norm.",
        task=CodingTask(
            starter="def unit(x):\n    return x\n",
            solution="def unit(x):\n    return x / x.norm()\n",
            tests="def example_one(t):\n    yield {}, unit(t)\n",
        ),
    ),
]
LATER = "Hm, that's a big one. Could I park that and come back to it at the end? You could ask me something else."
FIRST = (
    "Let me come back to that one in a minute, I'd rather first finish what I had in mind about beta, if that's okay."
)


def test_a_follow_up_that_is_put_off_is_asked_again_before_the_question_is_closed(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), follow_ups=2))
    state = say(service, session, "It is alpha, as far as I know.", LATER)
    first, second = state.asked[0].follow_ups
    assert state.asked[0].declined[0].reason is DeclineReason.LATER
    assert first.criterion_id != second.criterion_id
    state = say(service, session, f"I would say that it is {second.criterion_id}.")
    again = state.asked[0].follow_ups[-1]
    assert again.criterion_id == first.criterion_id
    assert again.said.startswith("You wanted to come back to this.")
    # Once more, and it is left.
    state = say(service, session, LATER)
    assert state.asked[0].declined[-1].reason is DeclineReason.SKIPPED
    assert state.asked[0].closed
    assert "asking to come back to this later" in transcript_html(state)


def test_what_is_put_off_with_nothing_to_ask_in_between_is_asked_at_once(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), follow_ups=1))
    state = say(service, session, "It is alpha, as far as I know.", LATER)
    first, second = state.asked[0].follow_ups
    assert (first.kind, first.criterion_id) == (second.kind, second.criterion_id)
    assert second.said.startswith("That's all I had on this question")
    assert not state.asked[0].closed


def test_who_wants_to_finish_something_first_has_the_floor_and_is_asked_again(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), follow_ups=1))
    state = say(service, session, "It is alpha, as far as I know.", FIRST)
    said = state.asked[0].declined[-1]
    assert said.said in templates.FINISH_FIRST
    assert isinstance(next_action(state), Listen)
    missing = state.asked[0].follow_ups[0].criterion_id
    other = next(each for each in ("beta", "gamma", "delta") if each not in missing)
    state = say(service, session, f"So it is {other} as well, since they belong together.")
    assert [each.criterion_id for each in state.asked[0].follow_ups] == [missing, missing]
    assert not state.asked[0].closed


def test_what_was_said_meanwhile_is_not_asked_again(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), follow_ups=1))
    state = say(service, session, "It is alpha, as far as I know.", FIRST, "It is beta and gamma and delta.")
    assert len(state.asked[0].follow_ups) == 1
    assert state.asked[0].closed


def test_to_put_something_off_is_not_to_give_up(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), follow_ups=3))
    state = say(service, session, "It is alpha, as far as I know.", LATER, "I don't know.")
    assert not state.asked[0].closed


def test_a_drill_does_not_show_the_point_that_was_put_off(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), follow_ups=1, drill=True))
    state = say(service, session, "It is alpha, as far as I know.", LATER)
    assert not state.asked[0].shown
    assert len(state.asked[0].follow_ups) == 2


def test_who_would_rather_talk_than_write_is_asked_on_and_not_for_the_code(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q2",), follow_ups=1, editor=True))
    state = say(service, session, "I divide by the norm, that's alpha.")
    assert not state.asked[0].follow_ups
    state = say(service, session, "I'd rather describe it than type it all. So it's alpha, x over its norm.")
    assert len(state.asked[0].follow_ups) == 1
    assert acknowledge(state)[state.asked[0].answers[-1].id] in templates.TALKING_IS_FINE


@pytest.mark.parametrize(
    "words",
    [
        LATER,
        FIRST,
        "Can we come back to that later?",
        "Let me come back to this at the end.",
        "Could we put that aside for now?",
        "Mind if I come back to that when I have thought about it?",
    ],
)
def test_a_wish_to_come_back_is_one(words: str) -> None:
    assert puts_off(words)
    assert finishes_first(words) is (words == FIRST)


@pytest.mark.parametrize(
    "words",
    [
        "Let me come back to that in a minute, the cache holds keys and values for every single token.",
        "I'd first check memory allocated, and then come back to that later once I have the snapshot.",
        "Let's put that aside, the optimizer state is what fills memory.",
        "I would park that request in the queue until a slot is free.",
        "We can postpone the all-reduce until the last micro-batch.",
        "I'd put it off until the gradient is needed, so lazily.",
        "I'd put that on hold and look at the loss first.",
        "I'll do that at the end of the epoch.",
        "I'd prefer to do it later in training.",
        "I'll do it when we hit the first overflow.",
        "Let me park it in CPU memory.",
        "I'd rather put that aside in pinned memory.",
        "I will take that at the end of the sequence, the last hidden state.",
        "I'll put it off until the backward pass.",
        "I'll get back to it after that: dropout is off in eval mode.",
    ],
)
def test_an_answer_in_such_words_is_an_answer(words: str) -> None:
    assert not puts_off(words)


@pytest.mark.parametrize(
    ("words", "declines"),
    [
        ("I'd rather describe the fix than type it all. So I register the hook first.", True),
        ("I'm not going to type the class, so I'd leave it at that.", True),
        ("I'd rather talk it through than write code.", True),
        ("I won't write to disk on every step.", False),
        ("I'd rather not write the loop in Python.", False),
        ("I'm not going to write a custom kernel for that.", False),
        ("I don't want to write it to disk each time.", False),
        ("I would rather explain than write a kernel by hand.", False),
        ("Can I just explain it instead of writing it?", True),
        ("I'd prefer not to write the code.", True),
        ("I won't write it as a loop, I'd use broadcasting.", False),
        ("I'm not going to write this from scratch, there's a kernel for it.", False),
        ("I don't want to write it in place, so I clone first.", False),
        ("I don't want to write the code yet, let me think about the shapes.", False),
        ("I won't write it back to global memory.", False),
        ("I don't want to write out of bounds, so I mask.", False),
    ],
)
def test_who_will_not_write_the_code_is_told_from_who_describes_a_choice(words: str, declines: bool) -> None:
    assert declines_to_write(words) is declines
