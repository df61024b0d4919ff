"""A text in pieces that are synthesized one after the other, so that the first sounds while the rest is made. Pure."""

from __future__ import annotations

import re

FIRST = 110
"""Characters above which the first piece is cut at a comma, so that something is heard soon."""

_END = re.compile(r"(?<=[.?!])\s+")


def sentences(text: str) -> list[str]:
    """The pieces of a text, in order; joined with blanks they are the text again, its blanks made single."""
    found = [sentence for sentence in _END.split(" ".join(text.split())) if sentence]
    if found and len(found[0]) > FIRST:
        cut = max((found[0].rfind(f"{mark} ", FIRST // 6, FIRST) for mark in ",;:"), default=-1)
        if cut > 0:
            found[:1] = [found[0][: cut + 1], found[0][cut + 2 :]]
    return found
