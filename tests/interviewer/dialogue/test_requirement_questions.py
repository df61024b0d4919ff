"""What is told to whoever asks about the requirements of the bank's designs, and what is left to assume."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.design_clarifications import clarification, requirements
from interviewer.session.events import ClarificationGiven
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from interviewer.understanding.design_questions import asked_in
from interviewer.understanding.utterance import Utterance
from knowledge.bank.parser import load_bank
from tests.interviewer.builders import START

BANK = {question.id: question for question in load_bank() if question.requirements}
ASKED = [json.loads(line) for line in (Path(__file__).parent / "requirement_questions.jsonl").read_text().splitlines()]


def told(question_id: str, words: str) -> list[str]:
    """What of a design's requirements is told to these words."""
    asked = AskedQuestion(asked_id="q", number=1, question=BANK[question_id])
    said = requirements(asked, asked_in(words), 0, 0, words=words)
    return [each.said for each in BANK[question_id].requirements if each.said in said]


@pytest.mark.parametrize("question_id", sorted(BANK))
def test_what_is_asked_for_is_told_and_nothing_else(question_id: str) -> None:
    for each in (asked for asked in ASKED if asked["id"] == question_id):
        found = told(question_id, each["words"])
        assert bool(found) == bool(each["told"]), each
        assert not found or any(said.startswith(each["told"]) for said in found), each


def test_every_design_has_questions_of_both_kinds() -> None:
    for kind in (True, False):
        assert {each["id"] for each in ASKED if bool(each["told"]) == kind} == set(BANK)


def test_what_was_told_is_told_again_only_where_nothing_else_is_asked_for() -> None:
    question = BANK[min(BANK)]
    first, second = question.requirements[:2]
    once = ClarificationGiven(id="c", at=START, asked_id="q", words="", said=f"Sure. {first.said}")
    asked = AskedQuestion(asked_id="q", number=1, question=question, turns=(once,))
    both = requirements(asked, (first.about[0], second.about[0]), 1, 0)
    assert second.said in both
    assert first.said not in both
    assert first.said in requirements(asked, (first.about[0],), 1, 0)


def test_whoever_lists_what_they_ask_for_is_told_all_that_is_known() -> None:
    words = (
        "Numbers first. Model size, peak requests per second, prompt and output length, and is the latency target TTFT "
        "or per-token, at which percentile?"
    )
    asked = AskedQuestion(asked_id="q", number=1, question=BANK["design-llm-serving"])
    said = requirements(asked, asked_in(words), 0, 0, words=words)
    assert not said.endswith(templates.ASSUME_THE_REST)
    assert len(told("design-llm-serving", words)) == 4


def test_what_is_only_named_is_told_while_nothing_is_designed_yet() -> None:
    words = "And the two that decide everything: peak requests per second, and the latency target?"
    question = BANK["design-llm-serving"]
    asked = AskedQuestion(asked_id="q", number=1, question=question)
    event = clarification(asked, Plan(), Utterance(words), "c", at=START)
    assert event is not None
    assert "forty requests" in event.said
    assert "ninety-five out of a hundred" in event.said


def test_whoever_asks_two_things_of_a_short_design_is_told_both() -> None:
    words = "Is it one cluster or everybody's own machine, and are we allowed to buy a tool?"
    cluster, tool = told("design-experiment-tracking", words)
    assert cluster.startswith("One shared cluster")
    assert tool.startswith("You may buy a tool")
