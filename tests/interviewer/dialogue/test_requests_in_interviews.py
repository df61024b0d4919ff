"""What people asked for in whole interviews, and other wordings of it, on questions of the bank.

Each row of ``requests_in_interviews.jsonl`` tells what a turn has to be taken for, one of several where more than one
is right; the parts of one turn are joined by "+". "talk" stands for the part in which the person asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    ClarificationGiven,
    Event,
    HintGiven,
    PersonSpoke,
    QuestionRepeated,
    QuestionSkipped,
)
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.closing_request import alone, closing_request
from interviewer.understanding.intent import ANSWERS
from interviewer.understanding.intent_classifier import intent_of
from interviewer.understanding.turn_parts import turn_parts
from knowledge.bank.parser import load_bank
from knowledge.model import Question
from tests.interviewer.builders import KeywordGrader, Shelf, question

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "requests_in_interviews.jsonl").read_text(encoding="utf-8").splitlines()
]
FEWEST = 0.9
"""Share that the rules alone understand; with the fitted head beside them it is more."""

NAMES = (
    (HintGiven, "hint"),
    (QuestionRepeated, "repeat"),
    (AnswerDeclined, "don't know"),
    (PersonSpoke, "asks"),
    (QuestionSkipped, "skip"),
)


@pytest.fixture(scope="module")
def bank() -> dict[str, Question]:
    return {held.id: held for held in load_bank()}


def taken(held: InterviewService, journal: Journal, row: dict[str, str]) -> str:
    """What a row is taken for in an interview whose first question is answered."""
    asked = "data-loader-workers" if row["question"] == "talk" else row["question"]
    session = held.start(Plan(question_ids=("first", asked), follow_ups=0, talks=True))
    said = ["I work on engines.", "It is the alpha of the thing."]
    for number, text in enumerate([*said, *(["I compare both times."] if row["question"] == "talk" else [])]):
        held.answer(session, text, f"before{number}")
        held.advance(session)
    held.answer(session, row["text"], "row")
    told = acknowledge(held.advance(session))
    events = [event for event in journal.events(session) if event.id in {"row", "row:earlier"}]
    return "+".join(_name(event, told.get(event.id, "")) for event in events)


def _name(event: Event, told: str) -> str:
    if isinstance(event, AnswerGiven):
        kinds = (kind for kind, said in templates.ACK_REPLIES.items() if told.endswith(said))
        kind = "wrong" if templates.NOT_CALLED_WRONG in told else "offer" if told in templates.PLEASE_DO else ""
        ends_with = kind or next(kinds, "")
        return "addition" if event.meanwhile else f"answer+{ends_with}" if ends_with else "answer"
    if isinstance(event, ClarificationGiven):
        return {templates.NOT_CALLED_WRONG: "wrong", templates.NO_TRICK: "trick"}.get(event.said, "clarification")
    if isinstance(event, AsideTaken):
        return event.intent.value
    return next(name for kind, name in NAMES if isinstance(event, kind))


def test_requests_of_whole_interviews_are_understood(tmp_path: Path, bank: dict[str, Question]) -> None:
    shelf = Shelf([question("first", text="What is alpha?"), *(bank[name] for name in sorted(_used()))])
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=None) as held,
    ):
        read = [(row, taken(held, journal, row)) for row in ROWS]
    wrong = [(row["text"], row["wanted"], got) for row, got in read if got not in row["wanted"]]
    assert len(ROWS) >= 170
    assert len(wrong) <= (1 - FEWEST) * len(ROWS), wrong
    asked = [row for row in wrong if row[1] == ["clarification"] and "answer" in row[2]]
    assert len(asked) <= len(ROWS) / 20, asked


def _used() -> set[str]:
    return {row["question"] for row in ROWS if row["question"] != "talk"} | {"data-loader-workers"}


def answers(bank: dict[str, Question]) -> Iterator[str]:
    """Ordinary answers: two statements of each of the first criteria of every question."""
    for held in bank.values():
        if held.rubric is not None:
            for point in held.rubric.criteria[:2]:
                yield " ".join(point.examples.met[:2])


def test_hardly_an_answer_is_taken_for_a_request_or_cut_in_two(bank: dict[str, Question]) -> None:
    said = [text for text in answers(bank) if text]
    taken_otherwise = [
        text
        for text in said
        if intent_of(text) not in ANSWERS
        or closing_request(text) is not None
        or alone(text) is not None
        or turn_parts(text, number=2, about="What does it do?") is not None
    ]
    assert len(said) >= 300
    assert len(taken_otherwise) <= len(said) / 300, taken_otherwise


@pytest.mark.parametrize(
    "text",
    [
        "One more thing that matters is the first layer, and now the gradient can flow to this one as well.",
        "I forgot the bias at first, then the second one was right.",
        "You add it to the first one and divide by the sum.",
        "On the last one of the ranks, the pipeline is empty. Then the next micro-batch comes back to this stage.",
    ],
)
def test_words_on_the_matter_that_sound_like_an_addition_stay_one_answer(text: str) -> None:
    assert turn_parts(text, number=2, about="How does the gradient flow?") is None
