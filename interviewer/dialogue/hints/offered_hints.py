"""A hint costs credit, so whoever may not have asked for one is offered it first. Pure."""

from __future__ import annotations

import re
from datetime import datetime

from interviewer.dialogue import templates
from interviewer.session.events import AsideTaken
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from interviewer.text import sentences
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import intent_of

_PLEA = re.compile(
    r"\b(?:hints?|clues?|nudg\w+|help\w*|tips?|pointers?|push|stuck|steer\w*|point me|lost|no idea|assistance|unblock"
    r"|(?:in the right|some|a) direction|easier|simpler|smaller (?:step|piece|question)s?|narrow it down|give up"
    r"|(?:drawing|draw) a blank|(?:right|correct) answer|the trick|a bone|get me (?:started|going)"
    r"|(?:just|simply) (?:tell|give) me|how(?:'s| is) it done|what am i (?:missing|overlooking|not seeing)"
    r"|(?:where|how) (?:do|should|would|to|can|could) (?:i )?(?:even )?(?:start|begin|approach)|next step)\b",
    re.IGNORECASE,
)


def pleads(text: str) -> bool:
    """Whether somebody asks for a hint in words that mean nothing else."""
    return _PLEA.search(text) is not None or any(intent_of(each) is Intent.HINT for each in sentences(text))


def offer(asked: AskedQuestion, _plan: Plan, request_id: str, *, at: datetime, words: str = "") -> AsideTaken:
    """Offers a hint to whoever may have asked for one."""
    said = templates.A_HINT_IF_WANTED
    return AsideTaken(id=request_id, at=at, asked_id=asked.asked_id, intent=Intent.HINT, words=words, said=said)


def is_offered(asked: AskedQuestion) -> bool:
    """Whether a hint was offered just now."""
    last = asked.turns[-1] if asked.turns else None
    return isinstance(last, AsideTaken) and last.intent is Intent.HINT and last.said == templates.A_HINT_IF_WANTED
