"""Which kind of question a query asks for by its words: "coding task: …", "a story about …", "why does …". Pure."""

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

# Whoever asks why or compares wants something explained, and would say so if it were to be written.
_EXPLANATION = re.compile(
    r"^\W*(?:why|what|explain|which|when|where|is|are|does|do|can|how (?:does|do|is|are|much|many|big|can))\b"
    r"|\b(?:versus|vs|compared|differences?|trade-?offs?)\b",
    re.IGNORECASE,
)


def kinds_not_meant(query: str) -> frozenset[Kind]:
    """The kinds that a query's words rule out: all but the one it names, or code where it asks for an explanation."""
    named = kind_asked_for(query)
    if named is not None:
        return frozenset(Kind) - {named}
    return frozenset({Kind.CODING}) if _EXPLANATION.search(query) else frozenset()


def kind_asked_for(query: str) -> Kind | None:
    """The kind that a query names or is put as; ``None`` where it says nothing of it, as most do."""
    return next((kind for kind, cue in _CUES.items() if cue.search(query)), None)
