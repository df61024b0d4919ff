"""Which sentences of a reply say something on the subject: not a question back, and not a remark on what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.text import plain
from rubric.grading.evidence import sentences

_TAG = re.compile(
    r", ?(?:right|no|yes|yeah|correct|okay|(?:is|are|was|does|do|did|has|have|would|can)(?:n't)? (?:it|they|that))\?$"
)
"""What turns a statement into a question for the sound of it: "it sums, right?"."""

_LEAD = r"(?:(?:h+m+|u[hm]+|oh|ah|okay|ok|so|well|and|but|yes|no|yeah|sorry|wait|right|sure)\b[,. …-]*)*"
_REACTS = re.compile(
    rf"{_LEAD}(?:"
    r"(?:that|this|it|which) (?:does not|doesn't|did not|didn't) (?:really )?(?:tell|help|say)(?: me)?"
    r"(?: (?:much|a lot|anything|any further|at all|more|with (?:it|that|this)))*"
    r"|(?:that's|that is|it's|this is|what) (?:an? )?(?:\w+ )?(?:question|one)"
    r"|i (?:do not|don't|did not|didn't) (?:really |quite )?(?:understand|get|follow|see) "
    r"(?:that|this|it|you|your question|the question|what you\b.*)"
    r"|(?:you(?:'re| are)|i(?:'m| am)) (?:just |only )?asking\b.*"
    r"|(?:i (?:think|believe) )?i(?:'ve| have)?(?: just| already)+ (?:said|answered|explained|told you)\b.*"
    r"|i (?:haven't|have not) (?:said|finished|started|answered|begun)\b.*"
    r"|(?:can|could|would|may) (?:you|i)\b.*"
    r"|(?:i see|got it|fair enough|fair point|good point|makes sense|interesting|thanks|thank you)"
    r"|)[.!… ]*$"
)
_GIVES_REASON = re.compile(r"(?:because|since|as)\b")


def claiming(said: Sequence[str]) -> list[bool]:
    """Of each sentence of a reply, in order, whether it says something on the subject.

    The reason that somebody gives for a question of their own is part of the question.
    """
    after_question = [False, *(plain(each).endswith("?") for each in said)]
    return [
        _says_something(each) and not (asked and _GIVES_REASON.match(plain(each)))
        for each, asked in zip(said, after_question, strict=False)
    ]


def asks_back(text: str) -> bool:
    """Whether a reply is a question of the person's own, and says nothing on the subject beside it."""
    said = [text[start:end].strip() for start, end in sentences(text)]
    return any(each.endswith("?") for each in said) and not any(claiming(said))


def _says_something(sentence: str) -> bool:
    said = plain(sentence)
    if said.endswith("?"):
        return _TAG.search(said) is not None
    return _REACTS.match(said) is None
