"""The outcome of a criterion, and with how much assistance it was reached."""

from __future__ import annotations

from enum import StrEnum


class AssistanceLevel(StrEnum):
    """How a person came to a criterion."""

    UNAIDED = "unaided"
    LATER = "in a later answer"
    """In reply to something else that the interviewer said; nobody helped with the point itself."""
    AFTER_FOLLOW_UP = "after follow-up"
    AFTER_HINT = "after hint"
    AFTER_ANSWER = "after answer shown"
    """Put right once the question was closed and a strong answer to it had been shown."""
    HELP_UNKNOWN = "met, help unknown"
    """Nobody can tell whether help came before it, or its question is led by the interviewer from part to part."""
    NOT_MET = "not met"
    UNSCORED = "unscored"


class CriterionOutcome(StrEnum):
    """What became of a follow-up or a hint.

    ``helped``: the answer to it earned a better verdict on some point. ``did not help``: it earned none.
    ``unanswered``: nothing was said to it. ``unknown``: what was said before it, or after it, is not graded.
    """

    HELPED = "helped"
    DID_NOT_HELP = "did not help"
    UNANSWERED = "unanswered"
    UNKNOWN = "unknown"
