"""Lines of text that was copied out of a page: which of them are code that lost its fence."""

from __future__ import annotations

from collections.abc import Sequence

Numbered = tuple[int, str]
"""A line with its number in the source, counted from 1."""


def fence_loose_code(lines: Sequence[Numbered]) -> list[Numbered]:
    """The same lines with fences put around code that has none."""
    return list(lines)
