"""The engines that speak."""

from __future__ import annotations

from collections.abc import Callable

from serving.speech.tts.base import SpeechSynthesizer
from serving.speech.tts.espeak import Espeak
from serving.speech.tts.kokoro import Kokoro

ENGINES: tuple[Callable[[], SpeechSynthesizer], ...] = (Kokoro, Espeak)
"""By preference: the first that can speak on a machine does, and the next stands in where it fails."""
