"""The intents that an utterance may have."""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    """What an utterance is, as a small fixed set."""

    ANSWER = "answer"
    CORRECTION = "correction"
    """An answer that takes back or mends an earlier one to the same question."""
    EARLIER = "earlier"
    """Mends or completes the answer to another question, one that is behind them."""
    THINKING = "thinking"
    """Thinking aloud; there is more to come."""
    CLARIFICATION = "clarification"
    """Asks what the question means or assumes."""
    HINT = "hint"
    REPEAT = "repeat"
    SLOWER = "slower"
    SKIP = "skip"
    LATER = "later"
    """Leaves the question for now and wants to come back to it."""
    RETURN = "return"
    """Wants to go back to a question that was left."""
    DONT_KNOW = "don't know"
    WAIT = "wait"
    END = "end"
    RESUME = "resume"
    """Wants to answer after all."""
    QUESTION = "question"
    """Asks about the subject itself, or for the interviewer's own view."""
    SAID_ALREADY = "said already"
    """Holds that what is asked was answered before."""
    REPHRASE = "rephrase"
    """Announces the same again in other words, and does not say it yet."""
    CHECK = "check"
    """Asks whether the answer was what was wanted."""


ANSWERS = frozenset({Intent.ANSWER, Intent.CORRECTION})
"""What is graded and moves the interview on."""
