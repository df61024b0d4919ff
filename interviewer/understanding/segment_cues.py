"""Cues in ungraded segments: agreement, nothing more to add, a wish to end."""

from __future__ import annotations

import re

from interviewer.text import plain, sentences
from interviewer.understanding.fluent_speech import fluent
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import intent_of

_NO_MORE = re.compile(
    r"(?:(?:u+h+m*|u+m+|h+m+|well|so|okay|ok|alright|all right|right|great|good|cool|perfect|then|oh|yeah|yes) )*"
    r"(?:(?:no|nope|nah) )?(?:i (?:think|guess|believe) )?"
    r"(no|nope|nah|none|nothing|that('s| is| was) (all|it)|i'?m (good|fine|done)|all (good|clear)"
    r"|not (really|now|today)"
    r"|no (more )?questions?|(?:nothing|no) (?:else|more)|thanks?( you)?( very much| so much)?|(?:good)?bye"
    r"|that will be all|okay|ok|alright|all right|great|cool|perfect|well|yeah"
    r"|have a (?:nice|good|great) (?:day|evening|one))"
    r"(?: from (?:me|my side)| for now)?(?: thanks?(?: you)?)?"
)
_FILLERS = re.compile(r"(?:u+h+m*|u+m+|h+m+|okay|ok|alright|all right|great|cool|perfect|well|yeah)")
"""Says nothing yet."""

_AGREES = re.compile(
    r"(yes|yeah|yep|yup|sure|of course|certainly|gladly|please( do)?|ok(ay)?|all right|alright|why not|go ahead"
    r"|(yes )?(let's|let us|i('d| would) (like|love) to|i (do|will|want to))( (do|try) (it|that|so|this one"
    r"|that one))?"
    r"|(that|this|the last) one( again)?|(the )?last( one)?( again)?|back|again)( please| then)?"
)


_DECLINES = re.compile(
    r"(?:(?:u+h+m*|u+m+|h+m+|well|so|okay|ok|alright|all right|right|great|good|cool|perfect|then|oh|yeah"
    r"|i (?:think|guess)) )*"
    r"(?:(?:no|nope|nah)(?: (?:more|further|other|questions?|that|thats|thanks?|i|i'm|we|it|it's|nothing|none|all"
    r"|everything|you|not"
    r"|for|from|sir|problem)\b|$)|none|nothing|not (?:really|now|today|right now|that i|at the moment|from)"
    r"|i (?:don't|do not) (?:think so|have)"
    r"|i have no|(?:i think |i guess )?(?:i'm|i am|we're|we are) (?:good|fine|done|all set)|i(?:'ve"
    r"| have) (?:got )?(?:everything|all))\b"
)
_TAKES_LEAVE = re.compile(r"\b(?:thanks?|thank you|bye|goodbye|have a (?:nice|good|great))\b")
_ASKS = re.compile(
    r"\b(?:what|how|why|which|when|where|who|whether|can|could|would|should|does|did|is there|are there|explain"
    r"|tell|about"
    r"|mean|meant|but|know)\b"
)
_LONGEST_REFUSAL = 20
_NOTHING_LEFT = re.compile(
    r"\b(?:nothing (?:else|more|left|further)|no (?:more|further|other) questions?"
    r"|(?:that(?:'s| is| was)|this is) (?:all|everything)(?: (?:that )?i (?:wanted|want|had|have|need)| from)"
    r"|(?:we can|let's|let us|i think we can|we could) (?:wrap (?:it )?up|stop here|leave it (?:there|at that)"
    r"|call it)"
    r"|(?:let's|let us) leave it|that covers it|wrap (?:it|this) up|i(?:'m| am) (?:all set|done here))\b"
    r"|\bthat(?:'s| is| was) (?:it|all)(?: (?:then|now|really|thanks?|thank|you|from|me|for|so|much|very))*$"
)
"""Says that nothing more is wanted, whatever stands beside it."""


def wants_no_more(text: str) -> bool:
    """Whether these words say that the person has no question (any more): they decline, or they take their leave."""
    said = " ".join(re.sub(r"[^a-z'? ]+", " ", text.casefold().replace("’", "'")).split())
    short = len(said.split()) <= _LONGEST_REFUSAL and "?" not in said
    if short and _NOTHING_LEFT.search(said):
        return True
    if short and not _ASKS.search(said) and (_DECLINES.match(said) or _TAKES_LEAVE.search(said)):
        return True
    return _says_only(_NO_MORE, text) and not _says_only(_FILLERS, text)


_LEADS_TO_IT = re.compile(
    r"^(?:(?:u+h+m*|u+m+|h+m+|well|so|okay|ok|and|but|or|by the way|actually|also|anyway|sorry|yes|yeah"
    r"|one question)\b"
    r"[ ,.:]*)+",
    re.IGNORECASE,
)


def asks_about(text: str) -> str:
    """The question in these words, without what leads up to it, and without what was said twice."""
    return _LEADS_TO_IT.sub("", fluent(text))


def wants_to_end(text: str) -> bool:
    """Whether these words decline the offer to go back to a question."""
    return wants_no_more(text) or intent_of(text) in {Intent.SKIP, Intent.END}


def asks_to_finish(text: str) -> bool:
    """Whether a sentence asks, beside whatever else is said, that this question be the last one."""
    return any(_FINISH.fullmatch(part) for part in sentences(plain(text)))


_FINISH = re.compile(
    r"\W*(?:(?:so|and|but|okay|well|then|sorry|honestly|hm+|um+|uh+)\b[, ]*)*"
    r"(?:(?:(?:can|could|may|shall) we|let's|i(?:'d| would) (?:rather|like to|prefer to)) (?:please |just |maybe )*"
    r"(?:wrap (?:it |this |things )?up|finish(?: it| this)?|stop|end(?: it| this| the interview)?|call it a day"
    r"|make (?:this|that) the last (?:one|question))"
    r"(?: (?:here|now|early|a bit early|soon|after (?:this|that)(?: one| question)?))*"
    r"(?:,? please)?"
    r"|(?:can i|may i|i(?:'d| would) (?:rather|like to)) ask (?:you )?my (?:\w+ )?questions now)"
    r"(?:,? and (?:then )?(?:ask|get to) (?:you )?(?:my|some|a few|two)\b[^.?!]{0,40})?\W*"
)


def agrees(text: str) -> bool:
    """Whether these words take the offer to go back to a question."""
    return intent_of(text) in {Intent.RETURN, Intent.RESUME} or _says_only(_AGREES, text)


def _says_only(said: re.Pattern[str], text: str) -> bool:
    """Whether every clause of a short text is of those words."""
    words = re.sub(r"[^a-z' ]+", " ", text.casefold().replace("’", "'"))
    parts = [part for part in re.split(r"\s{2,}", f" {words} ".replace(" and ", "  ")) if part.strip()]
    return len(words.split()) <= 12 and bool(parts) and all(said.fullmatch(part.strip()) for part in parts)


def only_asks(text: str) -> bool:
    """Whether somebody asks how the warm-up is meant, and tells nothing."""
    parts = sentences(text.strip())
    return "?" in text and all(part.endswith("?") or len(part.split()) <= _TELLS_NOTHING for part in parts)


_TELLS_NOTHING = 5
"""Words of a sentence that tells nothing of a background."""
