"""The words of the person in an event, whichever kind of event it is."""

from __future__ import annotations

from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    ClarificationGiven,
    HintGiven,
    MendingRaised,
    PersonSpoke,
    QuestionRepeated,
    QuestionSkipped,
    ReturnWished,
)

BY_WORDS = (
    AnswerGiven,
    AnswerDeclined,
    ClarificationGiven,
    AsideTaken,
    HintGiven,
    QuestionRepeated,
    QuestionSkipped,
    ReturnWished,
    MendingRaised,
)
"""What can become of what a person says."""


def words_of(event: object) -> str | None:
    """What the person said to bring an event about; ``None`` where they said nothing."""
    if isinstance(event, AnswerGiven):
        return event.choice or event.text
    if isinstance(event, PersonSpoke):
        return event.text
    words = getattr(event, "words", "")
    return words if isinstance(event, BY_WORDS) and words else None
