"""Which words may be quoted, and before which question."""

from __future__ import annotations

import pytest

from interviewer.dialogue.quotable import fits, is_about, is_clean
from interviewer.policy.answer_stages import Stage
from rubric.model import Criterion
from serving.speech.stt.transcript import Word


def heard(text: str) -> list[Word]:
    """Recognized words; those with a question mark are unsure."""
    return [
        Word(text=word.rstrip("?"), start=place, end=place + 0.5, probability=0.1 if word.endswith("?") else 0.9)
        for place, word in enumerate(text.split())
    ]


@pytest.mark.parametrize(
    "quote",
    [
        "I rolled back to the old version and told the product team.",
        "The gradients are summed over the ranks, so the rate has to be divided.",
        "It's faster since the loader no longer waits.",
        "Keep the residual stream in float32.",
        "… the leaf keeps its gradient until somebody clears it.",
        "We use PyTorch and NCCL on eight A100 cards.",
        "Stage 3 would be 13 gigabytes, but it costs three times the communication.",
    ],
)
def test_a_whole_clause_is_clean(quote: str) -> None:
    assert is_clean(quote)


@pytest.mark.parametrize(
    "quote",
    [
        "What I learned is that it sums the gradients over the So, I had to divide the learning rate.",
        "RMSNorm has no parameters It matters at all.",
        "The shards are imbalanced.The router sends more there.",
        "First, I rolled back to the old version within, 10 minutes.",
        "Distillation lost 1, 2 points.",
        "Means I was wrong before, the hidden layer must be bigger.",
        "Decided for that, and more cards would have cost more.",
        "Had never used it before.",
        "Second, smaller learning rate, fewer epochs.",
    ],
)
def test_what_was_cut_or_garbled_is_not(quote: str) -> None:
    assert not is_clean(quote)


@pytest.mark.parametrize(
    ("said", "clean"),
    [
        ("I divide the rate by the number of g-puss? here.", False),
        ("I divide the rate? by the number of cards here.", False),
        ("um? I divide the rate by the number of cards here.", True),
        ("I divide the rate by the number of cards here. Then we? stopped.", True),
    ],
)
def test_a_clause_with_a_word_that_recognition_was_unsure_of_is_not_quoted(said: str, clean: bool) -> None:
    quote = said.replace("?", "").removeprefix("um ").split(". ")[0].rstrip(".") + "."
    assert is_clean(quote, heard(said)) is clean


POINT = Criterion(
    id="c0",
    text="Requests join and leave the batch at each step.",
    probe="How does the engine group requests that end at different lengths?",
)


@pytest.mark.parametrize(
    ("quote", "about"),
    [
        ("I assume five thousand concurrent users at peak, a 70B model in FP8.", False),
        ("The requests wait until the batch is full.", True),
        ("Whoever is done leaves the batch at that step.", True),
        ("The hidden layer must be bigger than the activation.", False),
    ],
)
def test_a_quotation_has_to_do_with_the_question_after_it(quote: str, about: bool) -> None:
    assert is_about(quote, POINT) is about
    assert is_about(quote, POINT.model_copy(update={"probe": ""}))


@pytest.mark.parametrize(
    ("quote", "stage"),
    [
        ("I rolled back the router first.", Stage.ACTION),
        ("The benchmark, I moved to next week and told my lead.", Stage.ACTION),
        ("So we decided to wait for the second run.", Stage.ACTION),
        ("Then I also rewrote the sampler.", Stage.ACTION),
        ("I finally used a smaller vocabulary.", Stage.ACTION),
        ("Latency dropped from 90 to 45 milliseconds.", Stage.RESULT),
        ("Cost went down by about a half.", Stage.RESULT),
        ("I learned that a green dashboard proves nothing.", Stage.REFLECTION),
        ("Next time I would freeze the schema first.", Stage.REFLECTION),
        ("Our nightly job was two hours late each day.", Stage.SITUATION),
        ("I called that the time machine rule.", None),
        ("I told the product team.", None),
        ("I wrote to the report people the same morning.", None),
        ("I wrote a short mail to everybody.", None),
        ("I used to work on search.", None),
        ("I reproduced it with recorded traffic.", None),
        ("Maybe it is the loader.", None),
    ],
)
def test_each_question_has_words_that_it_makes_sense_after(quote: str, stage: Stage | None) -> None:
    told = (Stage.SITUATION, Stage.ACTION, Stage.RESULT, Stage.REFLECTION)
    assert [each for each in told if fits(each, quote) and each is not Stage.SITUATION] == (
        [stage] if stage not in {None, Stage.SITUATION} else []
    )
    assert fits(Stage.SITUATION, quote) or stage is not Stage.SITUATION
