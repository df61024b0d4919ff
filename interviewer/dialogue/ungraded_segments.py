"""What is said in the parts of an interview in which nothing is graded, and when time is used up. Pure."""

from __future__ import annotations

import re

from interviewer.session.plan import Plan, SegmentKind
from interviewer.speech.speakable_text import speakable
from knowledge.model import Kind, Question

_WARM_UP = (
    "To warm up, tell me in a minute or two what you have been working on lately.",
    "Before we start: what have you built recently that you liked working on?",
    "Let us begin gently. Tell me briefly about a piece of work that you know well.",
)
_OPENING = "To warm up: I read about this in what you gave me. {opening}. Tell me briefly what you did there."
_AFTER_WARM_UP = (
    "Thank you, that helps me to place you.",
    "Good, thanks for that.",
    "Thank you, that gives me a picture.",
)
_INVITATIONS = (
    "That was the last of my questions. Is there anything you would like to ask me about what came up?",
    "I am through with mine. What would you like to ask about what we talked about?",
    "Those were my questions. Do you have any for me on what came up today?",
)
_FROM = "This is what our notes say on it. {said}"
_NOTHING = (
    "I have nothing in my documents on that, and I would rather not guess.",
    "My documents do not answer that one, so I will not make something up.",
    "That is not in what I have read. Better no answer than an invented one.",
)
_NOT_READY = "My documents are still being made ready, so I cannot look that up just now."
_HOW_DID_I_DO = "Your report is next. It has every point, with your own words beside it."
_MORE = "Is there anything else?"
_NO_TIME_LEFT = "I am sorry, we have used the time for this one. Say in a sentence what you have, and then we go on."
_MOVING_ON = "We have used the time for that one, so let us move on."

_HOW = re.compile(r"\bhow (did|have) i (do|done)|\b(did|have) i pass|\bmy (score|result|marks?)\b")

# Cosine similarity from which a question of the documents is about what the person asked.
ON_SUBJECT = 0.5

# Longer than this is no reply any more but a lecture.
_LONGEST_REPLY = 60


def opening(part: SegmentKind, plan: Plan) -> str:
    """The first words of a part.

    Args:
        part: which.
        plan: its seed chooses the words; its opening is what the warm-up asks about.

    """
    if part is SegmentKind.THEIR_QUESTIONS:
        return _INVITATIONS[plan.seed % len(_INVITATIONS)]
    own = speakable(plan.opening).rstrip(".")
    return _OPENING.format(opening=own) if own else _WARM_UP[plan.seed % len(_WARM_UP)]


def reply(text: str, found: Question | None, turn: int, *, last: bool = False, ready: bool = True) -> str:
    """The answer to what the person asked.

    Args:
        text: what they asked.
        found: the question of the documents that is about it; ``None`` where there is none.
        turn: how many were answered before.
        last: no further one is taken.
        ready: whether the documents could be searched.

    """
    if _HOW.search(text.casefold()):
        said = _HOW_DID_I_DO
    elif found is not None and found.kind is not Kind.BEHAVIOURAL and found.reference.strip():
        said = _FROM.format(said=_first_sentences(speakable(found.reference)))
    elif not ready:
        said = _NOT_READY
    else:
        said = _NOTHING[turn % len(_NOTHING)]
    return said if last else f"{said} {_MORE}"


def time_called() -> str:
    """What is said when the time for a question is used up while the person is to speak."""
    return _NO_TIME_LEFT


def lead_in(*, number: int, warmed_up: bool, overran: bool, seed: int) -> str:
    """What comes before a question because of what was before it; may be empty.

    Args:
        number: the question's place, from 1.
        warmed_up: there was a warm-up.
        overran: the question before used up its time.
        seed: the plan's.

    """
    if number == 1:
        return _AFTER_WARM_UP[seed % len(_AFTER_WARM_UP)] if warmed_up else ""
    return _MOVING_ON if overran else ""


def _first_sentences(said: str) -> str:
    words = said.split()
    if len(words) <= _LONGEST_REPLY:
        return said
    short = " ".join(words[:_LONGEST_REPLY])
    ends = [place for place in (short.rfind(mark) for mark in (". ", "? ", "! ")) if place > 0]
    return short[: max(ends) + 1] if ends else f"{short.rstrip(',;:')}."
