"""How long work tells what it is doing: a callback that any front end can show."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called as work goes on.

    Args:
        detail: what is being done, a few words.
        share: how much of it is done, 0 to 1; ``None`` when that is not known.
    """

    def __call__(self, detail: str, share: float | None = None) -> None: ...  # noqa: D102


def silent(detail: str, share: float | None = None) -> None:
    """Show nothing."""
