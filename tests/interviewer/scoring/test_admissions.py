"""Whoever says that they do not know something is understood; what is not known of the task is no admission."""

from __future__ import annotations

import pytest

from interviewer.scoring.admissions import admits_not_knowing


@pytest.mark.parametrize(
    "sentence",
    [
        "How to show safety formally, I do not know well.",
        "As I said, I don't know the proof well.",
        "I honestly don't know how backward treats that.",
        "I don’t know whether view copies.",
        "I have no idea what the scaler does then.",
        "Honestly, no clue.",
        "I'm not very familiar with pipeline parallelism.",
        "I never really understood the second moment.",
        "I skip the proof part.",
        "Interpretability is not my daily work.",
        "I know little about quantization.",
        "I'm not sure how the reducer does it.",
        "I haven't worked with sparse layouts.",
        "I don't know the proof, so I'd have to read about it.",
        "In my project I don't know how the scaler was set.",
        "I don't know when to use which.",
    ],
)
def test_not_knowing_is_understood(sentence: str) -> None:
    assert admits_not_knowing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't know the number of users, so I assume five thousand.",
        "I don't know yet where the time goes, so I'd profile it first.",
        "If I don't know the length in advance, I pad to a bucket.",
        "I don't know the exact figure by heart.",
        "The optimizer does not know the scale.",
        "We did not know why it failed, until I looked at the logs.",
        "You don't know in advance which expert gets the tokens.",
        "I skip the optimizer step when a gradient is infinite.",
        "I have no copy of it on the host.",
        "It skips the batch and goes on.",
        "With my stack I don't know when a list is finished, so I'd need iterators on the stack instead.",
        "I don't know when a list is finished.",
        "In my loop I don't know how deep I am.",
        "I don't know the depth then, so I'd keep a counter.",
    ],
)
def test_what_is_not_known_of_the_task_or_by_others_is_none(sentence: str) -> None:
    assert not admits_not_knowing(sentence)
