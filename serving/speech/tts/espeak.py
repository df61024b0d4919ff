"""espeak-ng's own voice: plain, tiny, at once. It stands in where Kokoro is not there."""

from __future__ import annotations

import subprocess

import numpy as np

from serving.errors import ServiceMissingError
from serving.speech.audio import Samples
from serving.speech.tts.phonemes import PROGRAM, TIMEOUT_S

RATE = 22_050
"""Samples a second that espeak-ng makes."""

_HEADER = 44


class Espeak:
    """Speaks with espeak-ng; safe to use from several threads.

    Args:
        voice: one of espeak-ng's.

    """

    def __init__(self, voice: str = "en-gb") -> None:
        self.voice = voice

    def say(self, text: str) -> Samples:
        """A text as speech, [n] at ``RATE``.

        Raises:
            ServiceMissingError: espeak-ng is not installed, or failed.

        """
        command = [PROGRAM, "-v", self.voice, "-s", "155", "--stdout", "-b", "1"]
        try:
            done = subprocess.run(command, input=text.encode(), capture_output=True, check=True, timeout=TIMEOUT_S)
        except (OSError, subprocess.SubprocessError) as error:
            raise ServiceMissingError(
                f"{PROGRAM} cannot speak: {error}.", hint="`apt-get install espeak-ng` (or your system's way)."
            ) from error
        # Written to a pipe, so its header does not tell the length.
        sound = done.stdout[_HEADER:]
        return np.frombuffer(sound[: len(sound) // 2 * 2], dtype="<i2").astype(np.float32) / 32768.0
