"""The engines that recognize speech."""

from __future__ import annotations

from typing import Protocol

from serving.speech.stt.base import SpeechRecognizer
from serving.speech.stt.whisper import WhisperRecognizer


class RecognizerFactory(Protocol):
    """Makes a recognizer."""

    def __call__(self, *, gpu: bool = False) -> SpeechRecognizer:
        """``gpu`` says whether to run on an NVIDIA card."""
        ...


ENGINES: tuple[RecognizerFactory, ...] = (WhisperRecognizer,)
"""By preference."""


def preferred(*, gpu: bool = False) -> SpeechRecognizer:
    """Returns the first engine that can hear on this machine now; the first of all where none can yet."""
    engines = [engine(gpu=gpu) for engine in ENGINES]
    return next((engine for engine in engines if not engine.unavailable()), engines[0])
