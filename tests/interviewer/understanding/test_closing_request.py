"""What an answer ends with beside the answer."""

from __future__ import annotations

import pytest

from interviewer.understanding.closing_request import Closing, closing_request, finishes

ANSWER = "I think it's applied to every weight of the model, and the update is orthogonalized afterward. "


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Does that make sense?", Closing.CHECK),
        ("does that make sense so far", Closing.CHECK),
        ("Does that answer it?", Closing.CHECK),
        ("Is that right?", Closing.CHECK),
        ("Is that what you were looking for, or did you mean the optimizer state?", Closing.MEANT),
        ("uh or did you want the prefill case too?", Closing.MEANT),
        ("Can you give me a hint on what else you'd like to hear?", Closing.HELP),
        ("um can i get a second hint on what you're looking for here", Closing.HELP),
        ("or should i talk about the slides more", Closing.OFFER),
        ("Should I go into what happens when it's all full?", Closing.OFFER),
        ("Do you want to hear how it ended?", Closing.OFFER),
        ("Do you need the result too?", Closing.OFFER),
        ("Want an example, or does that do?", Closing.OFFER),
        ("Sorry, shall I keep going or is that enough background?", Closing.OFFER),
        ("In what order does PyTorch try them, do you know?", Closing.SUBJECT),
        ("By the way, what is gradcheck good for?", Closing.SUBJECT),
        ("I'm done with this one.", Closing.DONE),
        ("okay i'm i'm done with this one i think", Closing.DONE),
        ("And that is it from me on this one.", Closing.DONE),
        ("Does that go in the direction you wanted?", Closing.CHECK),
        ("Did I miss anything on that?", Closing.CHECK),
    ],
)
def test_what_is_put_to_the_interviewer_at_the_end_of_an_answer_is_heard(words: str, kind: Closing) -> None:
    found = closing_request(ANSWER + words)
    assert found is not None
    assert found.kind is kind


@pytest.mark.parametrize(
    "words",
    [
        "With greedy decoding you just compare the argmax, right?",
        "That's what I just said, no?",
        "So you get what you want.",
        "What would you do?",
        "What could go wrong? The batch could be too big.",
        "It can follow the mean, and then it makes sense.",
        "And then I'd ask them what they need.",
        "That's it.",
        "And for Adam you need the momentum buffers as well.",
        "Why would you want the gradients too?",
        "For contrastive loss, do you need an example per class?",
        "Then, like the gradients too, they are sharded?",
        "Then it doesn't need the gradients too, does it?",
        "```python\nwhat = how(1)\n```",
    ],
)
def test_a_guess_put_as_a_question_and_one_that_is_answered_are_parts_of_the_answer(words: str) -> None:
    assert closing_request(ANSWER + words) is None


def test_what_is_too_short_to_hold_an_answer_is_left_to_the_rules_for_requests() -> None:
    assert closing_request("Does that make sense?") is None
    assert closing_request("") is None


@pytest.mark.parametrize(
    ("words", "done"),
    [
        ("I'm done with this one.", True),
        ("Other than that, I'm done with this one.", True),
        ("uh i'm i'm done with this one i think", True),
        ("I'm done.", True),
        ("I'm done with the forward pass, now the backward.", False),
        ("That's all.", False),
    ],
)
def test_who_is_done_with_a_question_says_so(words: str, done: bool) -> None:
    assert finishes(words) is done


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("I have one question for you.", False),
        ("How to do that well offline, honestly, I don't know.", False),
        ("I'd rather skip the proof.", False),
        ("I can go deeper into the schedule if you like.", True),
        ("I don't know which one you prefer, should I start with the schedule?", True),
    ],
)
def test_what_is_read_as_an_offer_is_one_only_where_something_is_offered(words: str, *, offers: bool) -> None:
    for read in (Closing.OFFER, Closing.FLOOR):
        found = closing_request(ANSWER + words, read)
        assert (found is not None and found.kind in {Closing.OFFER, Closing.FLOOR}) == offers


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Is there actually any big model that still does that?", Closing.SUBJECT),
        ("Are there any logs from the run?", Closing.CASE),
    ],
)
def test_what_others_do_is_no_fact_of_the_case(words: str, kind: Closing) -> None:
    found = closing_request(ANSWER + words, Closing.CASE)
    assert found is not None
    assert found.kind is kind
