"""What is said to a person who didn't ask: into a silence, or into an answer that brings no new point. Pure."""

from __future__ import annotations

from datetime import datetime

from interviewer.dialogue import templates, utterances
from interviewer.dialogue.paraphrase import without_lead
from interviewer.policy.silence import SilenceStep
from interviewer.session.events import AsideTaken, Event, InterviewPaused, PersonCutShort
from interviewer.session.plan import Mode, Plan
from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from interviewer.understanding.intent import Intent


def into_silence(asked: AskedQuestion, plan: Plan, step: SilenceStep, event_id: str, *, at: datetime) -> Event:
    """The event of a step: a word to the person, or a pause.

    Args:
        asked: the open question.
        plan: in an exam no smaller step is offered.
        step: which.
        event_id: the event's id.
        at: when.

    """
    if step is SilenceStep.GONE:
        return InterviewPaused(id=event_id, at=at)
    smaller = speakable(asked.question.step_down)
    if step is SilenceStep.LONG:
        choices = templates.NO_HURRY
        said = choices[(plan.seed + asked.number + len(asked.follow_ups)) % len(choices)]
    elif plan.mode is Mode.EXAM:
        said = templates.SAY_WHAT_YOU_KNOW
    elif smaller and not asked.follow_ups:
        said = templates.SMALLER_STEP.format(ask=smaller)
    else:
        said = templates.OR_ASK_FOR_A_HINT
    return AsideTaken(id=event_id, at=at, asked_id=asked.asked_id, intent=Intent.WAIT, words="", said=said)


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
