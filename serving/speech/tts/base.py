"""What a voice has to offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from serving.progress import Progress
from serving.speech.audio import Samples
from serving.speech.engine import SpeechEngine

NO_ENGINE = "none"
"""The name of what speaks where nothing can: the browser may, or the text stands alone."""


class SpeechSynthesizer(SpeechEngine, Protocol):
    """Text to speech; safe to use from several threads.

    An engine is a class that can be called without arguments, and one entry of ``ENGINES`` in ``registry.py``.
    """

    @property
    def voice(self) -> str:
        """Which of its voices speaks where none is chosen."""
        ...

    @property
    def voices(self) -> Mapping[str, str]:
        """The voices that can be chosen, and what each is called; none where there is nothing to choose."""
        ...

    @property
    def sample_rate(self) -> int:
        """Samples a second that it makes."""
        ...

    def load(self, progress: Progress) -> None:
        """Fetch and load what it needs; nothing where it could not be used even then.

        Raises:
            ModelMissingError: it could not be fetched or loaded.
            StorageError: the disk refused.

        """
        ...

    def synthesize(self, text: str, voice: str = "") -> Samples:
        """A sentence as speech, [n] at ``sample_rate``.

        Args:
            text: as it is said, without markup or symbols.
            voice: one of ``voices``; its own where that is empty.

        Raises:
            InterviewerError: it cannot speak, or failed.

        """
        ...
