"""What an answer ends with beside the answer: a question to the interviewer, an offer to go on, a wish to be done.

Pure rules. Whoever listens takes such words up; the answer itself stays an answer.
"""

from __future__ import annotations

import re
from enum import StrEnum

from interviewer.text import sentences
from serving.frozen import FrozenModel

_FEWEST_WORDS = 10
"""Words of the answer before: what is shorter is a request alone, and read by the rules for those."""

_LONGEST = 32
"""Words of the longest question that is taken up."""


class Closing(StrEnum):
    """What an answer ends with."""

    CHECK = "check"
    """Asks whether the interviewer can follow, or has what they wanted."""
    MEANT = "meant"
    """Asks whether something else was meant."""
    OFFER = "offer"
    """Asks whether to go on to something."""
    HELP = "help"
    """Asks for a hint on what is missing."""
    SUBJECT = "subject"
    """Asks about the subject itself."""
    DONE = "done"
    """Says that the question is finished with."""


class ClosingRequest(FrozenModel):
    """What an answer ends with.

    Attributes:
        kind: which it is.
        words: as they were said.

    """

    kind: Closing
    words: str


_DONE = r"(?:i(?:'m| am)(?: i(?:'m| am))? (?:all )?(?:done|finished) with (?:this|that|it)(?: (?:one|question))?)"
_ALL = (
    r"(?:that(?:'s| is) (?:it|all)|this is (?:it|all)) from (?:me|my side)"
    r"(?: (?:on|for) (?:this|that)(?: (?:one|question))?)?"
)
_END = r"(?:,? (?:so far|to you|please|though|or (?:not|what)|at all|i (?:think|guess)|now|then))*\W*$"
_ADDRESSED: tuple[tuple[Closing, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:^|[\s,.;:?!])(?:(?:so|and|or|but|uh+m*|um+|hm+|well"
    rf"|please)[ ,]+)*({said}){_END}", re.IGNORECASE))
    for kind, said in (
        (Closing.DONE, rf"{_DONE}|(?:moving on|let's move on|next question|that's my (?:final )?answer|{_ALL})"),
        (
            Closing.HELP,
            r"(?:(?:can|could|may|might) (?:i|you)|i(?:'d| would) (?:like|take|need)|i (?:want|need)|do you have)"
            r"[^.?!]{0,24}\b(?:hints?|clues?|pointers?|nudge)\b[^.?!]{0,60}",
        ),
        (
            Closing.OFFER,
            r"(?:should|shall|could|can|may) i (?:also |just |maybe |then |quickly |still )*"
            r"(?:go (?:in ?to|on|over|deeper|through|further)|talk (?:about|more)|cover|mention|explain|describe|expand"
            r"|elaborate|say (?:more|something)|tell you|walk you|continue|start with|get into)\b[^.?!]{0,90}"
            r"|(?:do|would) you (?:want|like) (?:me to|to hear)\b[^.?!]{0,90}",
        ),
        (
            Closing.MEANT,
            r"(?:(?:do|did) you (?:mean|want|have in mind)|were you (?:asking|thinking|after)|are you (?:asking"
            r"|thinking)"
            r"|you mean(?:t)?)\b[^.?!]{0,90}",
        ),
        (
            Closing.CHECK,
            r"(?:(?:does|did|do) (?:that|this|it|all that)(?: all)? (?:make (?:any )?sense"
            r"|go in the (?:right )?direction[^.?!]{0,30}|answer (?:it|that"
            r"|your question"
            r"|the question)|help|work for you|cover it)"
            r"|(?:is|was) (?:that|this|it) (?:about |roughly |really |kind of )?(?:right|correct|okay|ok|clear|enough"
            r"|(?:what|the thing|something) (?:that )?(?:you|was)\b[^.?!]{0,50})"
            r"|(?:did|do) (?:i|you) (?:answer (?:it|that|your question)|follow(?: me)?|get (?:that|it|what i mean))"
            r"|did i (?:miss|forget|leave out) (?:anything|something)[^.?!]{0,20}|am i (?:right|on the right track"
            r"|making sense)|know what i mean)",
        ),
    )
)  # fmt: skip
_SUBJECT = re.compile(
    r"(?:(?:so|and|but|or|by the way|uh+m*|um+|hm+|well|actually|also|anyway)[ ,]+)*"
    r"(?:(?:do|would) you (?:happen to )?know )?"
    r"(?:(?:in |for |with |at )?(?:what|which|how|why|when|where|who)\b|(?:is|are|does|do|did|has|have|can|could"
    r"|would|will)"
    r" (?!i\b|you\b|we\b))",
    re.IGNORECASE,
)
_FINISHES = re.compile(
    rf"(?:(?:other than that|apart from that|otherwise|so|okay|ok|well|yeah|and|i (?:think|guess)|uh+m*|um+"
    rf"|hm+)[ ,.]+)*"
    rf"(?:{_DONE}|{_ALL}|i(?:'m| am) done)(?:,? (?:i (?:think|guess)|now|here|then))*\W*",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:,|\bor) (?:right|no|yes|yeah|correct|okay|ok|huh|(?:is|are|does|do|was|were|would|can)(?:n't| not)? (?:it"
    r"|they|that|we|i))"
    r"\W*$",
    re.IGNORECASE,
)
_OF_A_VIEW = re.compile(r"\b(?:would|did|have|are) you\b|\bdo you (?!know|happen)", re.IGNORECASE)
"""Asks for the interviewer's own view, which no document holds."""

_CODE = re.compile(r"```|\n\s*\n\s*\S+.*[=({]")


def finishes(text: str) -> bool:
    """Whether a person says that they are done with the question, and nothing else."""
    return bool(_FINISHES.fullmatch(" ".join(text.replace("’", "'").split())))


def closing_request(text: str) -> ClosingRequest | None:
    """What an answer ends with beside itself; ``None`` where it ends with itself.

    A guess that is put as a question ("it copies, right?") is a part of the answer, and so is a question that the
    person goes on to answer.

    Args:
        text: what was said.

    """
    said = " ".join(text.replace("’", "'").split())
    if len(said.split()) < _FEWEST_WORDS or _CODE.search(text):
        return None
    last = sentences(said)[-1]
    before = len(said.split()) - len(last.split())
    for kind, form in _ADDRESSED:
        if found := form.search(last[-160:]):
            words = found[1].strip(" ,")
            answered = len(said.split()) - len(words.split()) >= _FEWEST_WORDS
            return ClosingRequest(kind=kind, words=words) if answered else None
    asks = last.endswith("?") and len(last.split()) <= _LONGEST and not _TAG.search(last)
    if asks and before >= _FEWEST_WORDS and _SUBJECT.match(last) and not _OF_A_VIEW.search(last):
        return ClosingRequest(kind=Closing.SUBJECT, words=last)
    return None
