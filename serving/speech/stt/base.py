"""What a speech recognizer has to offer."""

from __future__ import annotations

from typing import Protocol

from serving.progress import Progress, silent
from serving.speech.audio import Samples
from serving.speech.engine import SpeechEngine
from serving.speech.stt.transcript import Transcript


class SpeechRecognizer(SpeechEngine, Protocol):
    """Speech to text; safe to use from several threads.

    An engine is a class that is called with ``gpu``, and one entry of ``ENGINES`` in ``registry.py``.
    """

    def load(self, progress: Progress = silent) -> None:
        """Fetch and load what it needs, so that the first answer need not wait.

        Raises:
            ModelMissingError: it could not be fetched or loaded.
            StorageError: the disk refused.

        """
        ...

    def transcribe(
        self, samples: Samples, prompt: str = "", progress: Progress = silent, before: Transcript | None = None
    ) -> Transcript:
        """What was said, word by word.

        Args:
            samples: [n] at ``serving.speech.audio.RATE``, mono.
            prompt: text in whose manner and with whose terms is written; it is never part of the result.
            progress: told the share of the recording that is done.
            before: what this gave for the same recording when it was shorter; left out, it is taken as a whole.

        Raises:
            ModelMissingError: the model could not be fetched or loaded.
            StorageError: the disk refused.

        """
        ...
