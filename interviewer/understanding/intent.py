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


ANSWERS = frozenset({Intent.ANSWER, Intent.CORRECTION})
"""What is graded and moves the interview on."""
