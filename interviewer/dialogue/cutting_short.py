"""What is said to a person who goes on without a new point. Pure."""

from __future__ import annotations

from datetime import datetime

from interviewer.dialogue import templates, utterances
from interviewer.dialogue.paraphrase import without_lead
from interviewer.session.events import PersonCutShort
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion


def cut_short(asked: AskedQuestion, plan: Plan, seconds: float, *, at: datetime) -> PersonCutShort:
    """The event of cutting the person short: a polite word, and the question again.

    Args:
        asked: the open question.
        plan: its style and seed choose the words.
        seconds: how long they went on without a new point.
        at: when.

    """
    choices = templates.CUT_SHORT[plan.style]
    lead = choices[(plan.seed + asked.number) % len(choices)]
    said = f"{lead} {without_lead(utterances.last_asked(asked))}"
    return PersonCutShort(
        id=f"{asked.asked_id}:cut-short", at=at, asked_id=asked.asked_id, said=said, seconds=round(seconds, 1)
    )
