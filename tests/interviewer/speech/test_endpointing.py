"""When a turn ends, over sequences of voice and silence as they occur."""

import pytest

from interviewer.speech.endpointing import (
    LONGEST_S,
    THINKING_S,
    UNFINISHED_S,
    WAIT_S,
    endpoint_delay,
    silence_at_end,
    turn_ended,
)
from serving.speech.stt.transcript import Transcript


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("The gradient is thrown away.", WAIT_S),
        ("And that is it.", WAIT_S),
        ("The optimizer updates the weights", WAIT_S),
        ("Because of that I would use fp16.", WAIT_S),
        ("I would lower the learning rate, and", UNFINISHED_S),
        ("It is slow because", UNFINISHED_S),
        ("It is slow because.", UNFINISHED_S),
        ("So first, um,", UNFINISHED_S),
        ("There are three reasons:", UNFINISHED_S),
        ("The loss is...", UNFINISHED_S),
        ("You call it with", UNFINISHED_S),
        ("Give me a moment.", THINKING_S),
        ("Hmm, give me a second please.", THINKING_S),
        ("Okay, let me think about it.", THINKING_S),
        ("Hold on.", THINKING_S),
        ("Let me think. It is the momentum of the optimizer.", WAIT_S),
        ("A moment estimate is kept for each weight.", WAIT_S),
        ("", WAIT_S),
    ],
)
def test_the_pause_that_ends_a_turn_depends_on_how_it_stopped(said, wait):
    assert endpoint_delay(said) == wait


def test_who_pauses_long_is_waited_for_longer_but_not_for_ever():
    assert endpoint_delay("It is done.", [0.4, 1.0]) == WAIT_S
    assert endpoint_delay("It is done.", [2.0]) == pytest.approx(2.6)
    assert endpoint_delay("It is done.", [30.0]) == LONGEST_S


@pytest.mark.parametrize(
    ("text", "voiced", "duration", "over"),
    [
        ("It is done.", [(0.2, 3.0)], 4.2, False),
        ("It is done.", [(0.2, 3.0)], 5.1, True),
        ("It is slow because", [(0.2, 3.0)], 6.0, False),
        ("It is slow because", [(0.2, 3.0)], 8.5, True),
        ("First this. Then that.", [(0.0, 2.0), (5.0, 6.0)], 8.5, False),
        ("First this. Then that.", [(0.0, 2.0), (5.0, 6.0)], 10.0, True),
        ("Give me a moment.", [(0.0, 1.5)], 30.0, False),
        ("", [], 30.0, False),
    ],
)
def test_whether_a_turn_is_over(text, voiced, duration, over):
    assert turn_ended(Transcript(text=text, voiced=tuple(voiced), duration=duration)) is over


def test_the_silence_at_the_end():
    assert silence_at_end([(0.0, 2.0)], 3.5) == 1.5
    assert silence_at_end([], 3.5) == 3.5
    assert silence_at_end([(0.0, 4.0)], 3.5) == 0.0


def test_whoever_chose_a_longer_pause_gets_it_and_never_a_shorter_one_than_the_sentence_calls_for():
    assert endpoint_delay("And that is it.", wait_s=4.0) == 4.0
    assert endpoint_delay("It is slow because", wait_s=4.0) == UNFINISHED_S
    assert endpoint_delay("It is slow because", wait_s=8.0) == 8.0
    assert endpoint_delay("And that is it.", [3.0], wait_s=2.0) == pytest.approx(3.9)
    said = Transcript(text="And that is it.", voiced=((0.0, 1.0),), duration=4.0)
    assert turn_ended(said)
    assert not turn_ended(said, wait_s=4.0)
