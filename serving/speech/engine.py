"""What every speech engine has to offer, whether it speaks or hears."""

from __future__ import annotations

from typing import Protocol

from serving.idle import IDLE_S


class SpeechEngine(Protocol):
    """What ``doctor`` tells of an engine."""

    @property
    def name(self) -> str:
        """What it is called; never changes, since the names of kept sounds hold it."""
        ...

    @property
    def details(self) -> str:
        """What it runs on, where it can be used."""
        ...

    @property
    def remedy(self) -> str:
        """What to do where it cannot be used."""
        ...

    def unavailable(self) -> str:
        """Why it cannot be used on this machine now; empty where it can."""
        ...

    def let_go(self, idle_s: float = IDLE_S) -> None:
        """Free its model where it has not been used for so many seconds; it is loaded again when it is needed."""
        ...
