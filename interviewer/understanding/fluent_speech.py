"""Speech as it was meant: without what one says while thinking, and without words said twice. Pure."""

from __future__ import annotations

import re

_SOUND = r"(?:u+h+m*|u+m+|h+m+|e+r+m*)\b"
_FILLER = re.compile(rf",\s*{_SOUND},|(?:^|(?<=[\s,])){_SOUND}[,.]?", re.IGNORECASE)


def fluent(text: str, *, longest: int = 3) -> str:
    """The text on one line, without its fillers, and with what was said twice running said once.

    Args:
        text: what was said.
        longest: words of the longest run that counts as said twice.

    """
    # Numbers that are alike stand in a list.
    stutter = rf"\b([^\W\d]+(?: [^\W\d]+){{0,{longest - 1}}})(?:,? \1\b)+"
    return re.sub(stutter, r"\1", without_fillers(text), flags=re.IGNORECASE)


def without_fillers(text: str) -> str:
    """The text on one line without "um", "uh", and the like."""
    return " ".join(_FILLER.sub(" ", " ".join(text.split())).split())
