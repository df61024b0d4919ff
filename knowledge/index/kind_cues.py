"""Which kind of question a query asks for by its words: "coding task: …", "a story about …". Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from knowledge.model import Kind

_OPENING = r"^\W*(?:please )?(?:(?:how )?(?:would|could|can|do) (?:you|i) )?"

# The first that is found counts: "debugging exercise" is no coding question.
_CUES: Mapping[Kind, re.Pattern[str]] = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        Kind.BEHAVIORAL: r"\b(?:story|stories|tell me about an?|have you ever|when (?:did|have) you|how did you"
        r"|a time (?:when|you|i|somebody)|experience (?:with|of)|(?:personal|your|my) experience)\b",
        Kind.DEBUGGING: r"\b(?:find (?:and fix )?the (?:bug|fault)s?|bug hunt|debugging (?:question|exercise|task))\b"
        rf"|{_OPENING}debug\b",
        Kind.CODING: r"\b(?:coding (?:question|exercise|task|problem)|exercise|implement(?:ing)?|code up)\b"
        rf"|{_OPENING}(?:code|write)\b|\bcode$",
        Kind.SYSTEM_DESIGN: rf"\bsystem design\b|{_OPENING}design\b",
    }.items()
}


def kind_asked_for(query: str) -> Kind | None:
    """The kind that a query names or is put as; ``None`` where it says nothing of it, as most do."""
    return next((kind for kind, cue in _CUES.items() if cue.search(query)), None)
