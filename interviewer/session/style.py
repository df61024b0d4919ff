"""The manner in which an interviewer speaks."""

from __future__ import annotations

from enum import StrEnum


class Style(StrEnum):
    """The manner in which the interviewer speaks; what is asked and what counts does not depend on it."""

    FRIENDLY = "friendly"
    NEUTRAL = "neutral"
    DEMANDING = "demanding"
