"""What is asked and said in every interview here, and what of it has to be the same however often it was disturbed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable
from interviewer.session.events import AnswerGiven, CodeRan, Event
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from knowledge.bank.parser import load_bank

CODE = "training-focal-loss"
ANSWERS = {
    1: "Autograd keeps dot grad only for leaf tensors, everything in between is thrown away. "
    "You call retain grad on the tensor before backward, then its gradient is kept.",
    2: "Two times layers times heads times head size times bytes, for each token in the batch.",
}
ON_PAGE = Plan(
    question_ids=("autograd-leaf-grad", "kv-cache-memory", CODE), length=3, follow_ups=0, editor=True, seed=5
)
"""Without follow-ups: a page goes on without a mark after some seconds, and what it asks then may differ."""

ROWS = [
    {"question_id": "autograd-leaf-grad", "answer": ANSWERS[1]},
    {"question_id": "autograd-leaf-grad", "answer": "It did flow through the tensor, it was just not stored."},
    {
        "question_id": "kv-cache-memory",
        "answer": "The cache stores the loss of each token so that training can resume.",
    },
    {"question_id": "kv-cache-memory", "answer": ANSWERS[2]},
    {"question_id": "training-warmup", "answer": "I don't know."},
]
"""For the command line, which waits for every mark: with follow-ups."""


@cache
def solution() -> str:
    """Returns code that passes."""
    task = next(question for question in load_bank() if question.id == CODE).task
    assert task is not None
    return task.solution


def marks(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns, question by question, what was said, what it was marked with, and what became of the code."""
    return [
        {
            "question": asked.question.id,
            "said": [answer.text for answer in asked.answers],
            "marks": [grade.grade.model_dump(mode="json", exclude={"seconds"}) for grade in asked.grades],
            "code": asked.submission and (asked.submission.source, asked.submission.result.status),
        }
        for asked in fold(events).asked
    ]


def report(session: str, events: Sequence[Event]) -> dict[str, Any]:
    """Returns the whole report without its times."""
    return comparable(findings(session, fold(events)), digits=2)


def is_marked(events: Sequence[Event]) -> bool:
    """Whether the interview is over and every answer has its mark."""
    state = fold(events)
    graded = {grade.answer_id for asked in state.asked for grade in asked.grades}
    said = {event.id for event in events if isinstance(event, AnswerGiven)}
    return state.ended is not None and said <= graded


def told_wrongly(events: Sequence[Event]) -> list[str]:
    """Returns what right code was wrongly told: that it gives wrong results, or raises."""
    wrong = {"mismatch", "error"}
    return [event.result.message for event in events if isinstance(event, CodeRan) and event.result.status in wrong]
