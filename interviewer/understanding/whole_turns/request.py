"""What a turn that is no answer may want, more finely than an ``Intent`` tells it: each has a reply of its own."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from interviewer.understanding.intent import Intent


class Request(StrEnum):
    """What somebody wants who does not answer."""

    WORD = "word"
    """Asks what a word or a part of the question means."""
    WHICH = "which"
    """Asks which of two readings is meant."""
    ASSUME = "assume"
    """Asks leave to assume something."""
    SETTING = "setting"
    """Asks for a fact of the case, such as its scale or its hardware."""
    DEPTH = "depth"
    """Asks how long or how deep the answer is to be."""
    START = "start"
    """Asks where to begin."""
    FORM = "form"
    """Asks whether to write code, draw, or look something up."""
    STORY = "story"
    """Asks whether another story or project will do, or whether names may be left out."""
    NO_EXPERIENCE = "no_experience"
    """Says that they never worked with it."""
    HINT = "hint"
    DONT_KNOW = "dont_know"
    SKIP = "skip"
    SKIP_PART = "skip_part"
    """Passes on the follow-up only."""
    LATER = "later"
    RETURN = "return"
    EARLIER = "earlier"
    """Adds to an earlier answer, or corrects it."""
    SAID_ALREADY = "said_already"
    REPHRASE = "rephrase"
    THINKING = "thinking"
    WAIT = "wait"
    """Needs a moment: noise, a call, a microphone."""
    BREAK = "break"
    REPEAT = "repeat"
    SIMPLER = "simpler"
    """Wants it in plainer words."""
    CHECK = "check"
    """Asks whether that was what was wanted, or enough."""
    WAS_RIGHT = "was_right"
    """Asks whether something they said was right."""
    DOING = "doing"
    """Asks how they are doing."""
    TIME = "time"
    COUNT = "count"
    """Asks how many questions are left, or what comes next."""
    OFFER = "offer"
    """Offers to say more about something."""
    EXAMPLE = "example"
    VIEW = "view"
    """Asks for the interviewer's opinion."""
    SUBJECT = "subject"
    """Asks a question on the subject back."""
    CUT_OFF = "cut_off"
    """Complains that they were not finished."""
    NERVOUS = "nervous"
    THANKS = "thanks"
    """Small talk and thanks."""
    END = "end"
    ABOUT = "about"
    """Asks how the interview works, or who hears it."""
    MISHEARD = "misheard"
    """Corrects a word that was heard or written wrong."""
    RESUME = "resume"
    TRICK = "trick"
    """Asks whether it is a trick question."""


class Wanted(NamedTuple):
    """What a whole turn was read as.

    Attributes:
        request: what it most likely wants that is no answer; ``None`` for an answer.
        chance: the probability of that.

    """

    request: Request | None
    chance: float


AS_INTENT = {
    Request.WORD: Intent.CLARIFICATION,
    Request.WHICH: Intent.CLARIFICATION,
    Request.ASSUME: Intent.CLARIFICATION,
    Request.SETTING: Intent.CLARIFICATION,
    Request.EXAMPLE: Intent.CLARIFICATION,
    Request.HINT: Intent.HINT,
    Request.DONT_KNOW: Intent.DONT_KNOW,
    Request.SKIP: Intent.SKIP,
    Request.SKIP_PART: Intent.SKIP,
    Request.LATER: Intent.LATER,
    Request.RETURN: Intent.RETURN,
    Request.EARLIER: Intent.EARLIER,
    Request.SAID_ALREADY: Intent.SAID_ALREADY,
    Request.REPHRASE: Intent.REPHRASE,
    Request.THINKING: Intent.THINKING,
    Request.WAIT: Intent.WAIT,
    Request.REPEAT: Intent.REPEAT,
    Request.SIMPLER: Intent.REPEAT,
    Request.CHECK: Intent.CHECK,
    Request.SUBJECT: Intent.QUESTION,
    Request.END: Intent.END,
    Request.RESUME: Intent.RESUME,
}
"""What a request is as an intent; those that are not here have a reply of their own and change nothing."""

BESIDE_AN_ANSWER = frozenset({Request.CHECK, Request.WAS_RIGHT, Request.OFFER, Request.SAID_ALREADY})
"""What people say beside an answer rather than without one."""

ASKS = frozenset(
    {
        *(Request.WORD, Request.WHICH, Request.ASSUME, Request.SETTING, Request.DEPTH, Request.START, Request.FORM),
        *(Request.CHECK, Request.WAS_RIGHT, Request.TIME, Request.COUNT, Request.VIEW, Request.SUBJECT, Request.ABOUT),
        *(Request.EXAMPLE, Request.TRICK),
    }
)
"""What nobody wants without a word that asks for something."""
