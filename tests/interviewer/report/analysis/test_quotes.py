from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interviewer.report.analysis.quotes import carrying, nearness, opening, reply
from interviewer.report.schema.question import Quote
from interviewer.session.events import AnswerGiven
from knowledge.bank.parser import load_bank
from rubric.model import Criterion


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("Let me think for a moment. The graph keeps it. And more.", "The graph keeps it."),
        ("Okay. So, let me see. The graph keeps it.", "The graph keeps it."),
        ("Well, the graph keeps it. And more.", "Well, the graph keeps it."),
        ("So it is a leaf. And more.", "So it is a leaf."),
        ("Let me think for a bit. Withdrawing it.", "Withdrawing it."),
        ("Let me think.", "Let me think."),
        ("Okay. Let me think.", "Okay."),
        ("  The graph keeps it", "The graph keeps it"),
        ("word " * 100, ("word " * 40).strip()),
    ],
)
def test_an_answer_begins_where_it_says_something(said: str, quoted: str) -> None:
    answer = AnswerGiven(id="a", at=datetime(2026, 3, 2, tzinfo=UTC), asked_id="q", text=said)
    found = opening(answer)
    assert found is not None
    assert found.text == quoted
    assert said[found.start : found.end] == quoted


def test_what_only_announces_a_reply_is_quoted_with_what_follows() -> None:
    said = "Two things, actually. Dropout and a smaller embedding changed nothing. Then I looked at the data."
    answer = AnswerGiven(id="a", at=datetime(2026, 3, 2, tzinfo=UTC), asked_id="q", text=said)
    found = reply(answer)
    assert found is not None
    assert found.text == "Two things, actually. Dropout and a smaller embedding changed nothing."


def test_a_blank_answer_has_no_beginning() -> None:
    assert opening(AnswerGiven(id="a", at=datetime(2026, 3, 2, tzinfo=UTC), asked_id="q", text="  ")) is None


def point(question_id: str, begins: str) -> Criterion:
    """The point of a question of the bank that begins so."""
    rubric = next(each.rubric for each in load_bank() if each.id == question_id)
    assert rubric is not None
    return next(each for each in rubric.criteria if each.text.startswith(begins))


def quoted(*texts: str) -> tuple[Quote, ...]:
    return tuple(Quote(answer_id="a", start=0, end=len(text), text=text) for text in texts)


SAVED = ("data-streaming-shards", "The saved position")
CONDITIONS = ("design-vehicle-perception", "Where and under which")
AUTOCAST = ("training-mixed-precision", "Under autocast")


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (SAVED, "So the buffer does not rescue you."),
        (SAVED, "Every worker gets the full copy, and you must shard it yourself with the worker info."),
        (CONDITIONS, "How to show safety formally, I do not know well."),
        (AUTOCAST, "It does not, its range is like float32."),
        (AUTOCAST, "That was a long week."),
    ],
)
def test_words_that_have_nothing_to_do_with_a_point_are_quoted_only_where_the_mark_is_sure(
    of: tuple[str, str], words: str
) -> None:
    assert carrying(quoted(words), point(*of), sure=False) == ()
    assert carrying(quoted(words), point(*of), sure=True) == quoted(words)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (SAVED, "I save the position of what the training loop consumed, since the workers have read ahead."),
        (CONDITIONS, "I would fix the conditions first: it drives on the highway, by day and at night."),
        (AUTOCAST, "The parameters themselves stay in float32 under autocast."),
    ],
)
def test_words_that_make_the_point_are_quoted_and_nothing_beside_them(of: tuple[str, str], words: str) -> None:
    beside = "Well, that was a good question."
    for sure in (True, False):
        assert carrying(quoted(beside, words), point(*of), sure=sure) == quoted(words)


def test_a_point_without_examples_keeps_what_the_judge_chose() -> None:
    bare = Criterion(id="c", text="The loop waits for data.")
    assert carrying(quoted("It stalls."), bare, sure=False) == quoted("It stalls.")


def test_of_two_quotations_the_one_that_says_the_point_is_nearer() -> None:
    cheaper = point("autograd-detach-no-grad-inference-mode", "`inference_mode()` spares")
    far, near = "No grad is a context manager.", "Inference mode also drops version counters and view tracking."
    assert nearness(near, cheaper) > nearness(far, cheaper)
