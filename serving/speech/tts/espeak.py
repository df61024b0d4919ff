"""espeak-ng's own voice: plain, tiny, at once. It stands in where Kokoro is not there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping

import numpy as np

from serving.errors import ServiceMissingError
from serving.idle import IDLE_S
from serving.progress import Progress, silent
from serving.speech.audio import Samples
from serving.speech.tts import phonemes

_HEADER = 44


class Espeak:
    """Speaks with espeak-ng; safe to use from several threads.

    Args:
        voice: one of espeak-ng's.

    """

    name = "espeak-ng"
    sample_rate = 22_050
    remedy = phonemes.REMEDY

    def __init__(self, voice: str = "en-gb") -> None:
        self.voice = voice

    @property
    def voices(self) -> Mapping[str, str]:
        """None: it only stands in."""
        return {}

    @property
    def details(self) -> str:
        """Where the program lies."""
        return shutil.which(phonemes.PROGRAM) or phonemes.PROGRAM

    def unavailable(self) -> str:
        """Why it cannot speak on this machine; empty where it can."""
        return "" if phonemes.is_there() else f"{phonemes.PROGRAM} is not installed."

    def load(self, progress: Progress = silent) -> None:
        """Nothing: the program needs no model."""

    def let_go(self, idle_s: float = IDLE_S) -> None:
        """Nothing: no model is held."""

    def synthesize(self, text: str, voice: str = "") -> Samples:
        """A text as speech, [n] at ``sample_rate``.

        Args:
            text: as it is said, without markup or symbols.
            voice: one of espeak-ng's; its own where that is empty.

        Raises:
            ServiceMissingError: espeak-ng is not installed, or failed.

        """
        command = [phonemes.PROGRAM, "-v", voice or self.voice, "-s", "155", "--stdout", "-b", "1"]
        try:
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, check=True, timeout=phonemes.TIMEOUT_S
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise ServiceMissingError(f"{phonemes.PROGRAM} cannot speak: {error}.", hint=phonemes.REMEDY) from error
        # Written to a pipe, so its header does not tell the length.
        sound = done.stdout[_HEADER:]
        return np.frombuffer(sound[: len(sound) // 2 * 2], dtype="<i2").astype(np.float32) / 32768.0
