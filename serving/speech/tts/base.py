"""What a voice has to offer."""

from __future__ import annotations

from typing import Protocol

from serving.progress import Progress
from serving.speech.audio import Samples


class SpeechSynthesizer(Protocol):
    """Text to speech with one voice; safe to use from several threads.

    An engine is a class that can be called without arguments, and one entry of ``ENGINES`` in ``registry.py``.
    """

    @property
    def name(self) -> str:
        """What it is called, in ``doctor`` and in the names of kept sounds; never changes."""
        ...

    @property
    def voice(self) -> str:
        """Which of its voices speaks."""
        ...

    @property
    def sample_rate(self) -> int:
        """Samples a second that it makes."""
        ...

    @property
    def details(self) -> str:
        """What it runs on, where it can speak."""
        ...

    @property
    def remedy(self) -> str:
        """What to do where it cannot speak."""
        ...

    def unavailable(self) -> str:
        """Why it cannot speak on this machine now; empty where it can."""
        ...

    def load(self, progress: Progress) -> None:
        """Fetch and load what it needs; nothing where it could not be used even then.

        Raises:
            ModelMissingError: it could not be fetched or loaded.
            StorageError: the disk refused.

        """
        ...

    def synthesize(self, text: str) -> Samples:
        """A sentence as speech, [n] at ``sample_rate``.

        Args:
            text: as it is said, without markup or symbols.

        Raises:
            InterviewerError: it cannot speak, or failed.

        """
        ...
