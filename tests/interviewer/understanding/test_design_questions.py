"""Questions about requirements in a design round, told from answers, measured on labeled utterances.

The same author wrote the utterances and the rules. The utterances of round one came before the rules, which were mended
with every other of them (``seen``) in sight; round two came after the rules, which were then mended with all of it in
sight. What they did at first sight stands in docs/benchmarks/conversation.md.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.understanding.design_questions import asked_in
from knowledge.bank.parser import load_bank
from knowledge.model import Kind

UTTERANCES = Path(__file__).with_name("design_round_utterances.jsonl")


def labeled(*, asks: bool) -> list[str]:
    rows = [json.loads(line) for line in UTTERANCES.read_text(encoding="utf-8").splitlines()]
    return [row["text"] for row in rows if row["asks"] is asks]


def test_nearly_all_clarifying_questions_are_understood() -> None:
    asked = labeled(asks=True)
    missed = [text for text in asked if not asked_in(text)]
    assert len(asked) >= 40
    assert len(missed) / len(asked) <= 0.05, missed


def test_no_answer_that_contains_a_question_is_taken_for_one() -> None:
    answers = labeled(asks=False)
    assert len(answers) >= 40
    assert [text for text in answers if asked_in(text)] == []


def test_statements_on_designs_are_answers() -> None:
    said = [
        statement
        for question in load_bank()
        if question.kind is Kind.SYSTEM_DESIGN and question.rubric
        for point in question.rubric.criteria
        for statement in (*point.examples.met, *point.examples.contradicted, *point.examples.near)
    ]
    taken = [statement for statement in said if asked_in(statement)]
    assert len(said) > 2_000
    assert len(taken) <= len(said) / 1_000, taken


@pytest.mark.parametrize(
    ("said", "questions"),
    [
        ("Okay, so how many users?", ("how many users?",)),
        ("Got it. What's the budget? And is it fixed?", ("what's the budget?", "is it fixed?")),
        ("One question first: which regions?", ("which regions?",)),
        (
            "And does a user's last click have to influence the very next page, or is a few hours stale okay?",
            ("does a user's last click have to influence the very next page, or is a few hours stale okay?",),
        ),
        ("okay, uh, before I design, how many videos are in the catalog?", ("how many videos are in the catalog?",)),
        (
            "I don't have a ranker yet. What daily users and page views should I assume?",
            ("what daily users and page views should i assume?",),
        ),
        ("By when does the model have to be there?", ("by when does the model have to be there?",)),
        ("If a node dies, do we get another one?", ("if a node dies, do we get another one?",)),
        ("Is anybody on call at night?", ("is anybody on call at night?",)),
        (
            "Numbers first. Model size, peak load, and is there a budget?",
            ("what is the model size?", "what is the peak load?", "is there a budget?"),
        ),
        ("I take eight cards, a queue, and is there a budget?", ()),
        ("If a node dies, I restart from the checkpoint?", ()),
        ("How many users? Ten million, I'd say.", ()),
        ("how_many(users)", ()),
        ("", ()),
        ("What do we need " * 20 + "?", ()),
    ],
)
def test_each_question_is_told_without_what_leads_up_to_it(said: str, questions: tuple[str, ...]) -> None:
    assert asked_in(said) == questions


@given(st.text(max_size=300))
def test_every_text_can_be_read(text: str) -> None:
    assert all(asked_in(text)) or not asked_in(text)


@pytest.mark.parametrize(
    "said",
    [
        "Before I draw anything I'd like to pin down the requirements. First, what do we have to detect? And second, "
        "what's the latency target from the camera to the alert?",
        "Okay, so two machines, 32 cores and 4 cards in all. Is there a hardware decoder on those cards?",
        "And you skipped my earlier question I think: what's the latency budget from camera to alert?",
        "That depends on what I asked: how quickly must an event be reported, one second or one minute?",
        "That helps, thanks. Where do the machines stand: in the warehouse, or in a central data center?",
    ],
)
def test_what_leads_up_to_a_question_or_says_back_what_was_told_is_no_answer(said: str) -> None:
    assert asked_in(said)


@pytest.mark.parametrize(
    "said",
    [
        "Okay, so two machines are enough, since one decodes 3,200 frames a second. Is there a budget?",
        "Before I draw anything: it has to be batched. What is the latency target?",
    ],
)
def test_who_states_something_before_a_question_answers(said: str) -> None:
    assert not asked_in(said)
