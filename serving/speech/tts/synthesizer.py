"""Text to sound with the best voice there is; what was said once is kept on the disk."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np

from serving import paths
from serving.atomic import write_atomic
from serving.errors import InterviewerError, ServiceMissingError
from serving.progress import Progress, silent
from serving.speech.audio import Samples, wav
from serving.speech.models import KOKORO, is_there
from serving.speech.tts import espeak, kokoro, phonemes
from serving.speech.tts.sentences import sentences

Engine = Literal["kokoro", "espeak-ng", "none"]
"""What speaks; with ``none`` the browser may, or the text stands alone."""

KEPT = 2_000
"""Most sentences kept on the disk, about 300 MB; the least recently said goes first."""

_PAUSE_S = 0.18
_LOG = logging.getLogger(__name__)


class Speaker:
    """Speaks with Kokoro where it is there, with espeak-ng where it is not; safe to use from several threads.

    Args:
        folder: where sounds are kept; left out, with the person's data.
        voice: one of Kokoro's voices.

    """

    def __init__(self, folder: Path | None = None, voice: str = "af_heart") -> None:
        self._folder = folder
        self._kokoro = kokoro.Kokoro(voice)
        self._espeak = espeak.Espeak()
        self._failed = False
        self._lock = threading.Lock()

    @property
    def engine(self) -> Engine:
        """What speaks now: it may become better once models are there."""
        if not phonemes.is_there():
            return "none"
        return "kokoro" if is_there(KOKORO) and not self._failed else "espeak-ng"

    def load(self, progress: Progress = silent) -> None:
        """Fetch and load the better voice, where it can be used at all.

        Raises:
            ModelMissingError: it could not be fetched or loaded.
            StorageError: the disk refused.

        """
        if phonemes.is_there():
            self._kokoro.load(progress)

    def sound(self, text: str) -> bytes:
        """A sentence as a WAV file, made or taken from the disk.

        Args:
            text: as it is said, without markup or symbols.

        Raises:
            ServiceMissingError: nothing can speak here.

        """
        engine = self.engine
        if engine == "none":
            raise ServiceMissingError(
                "Nothing can speak on this machine.", hint="`apt-get install espeak-ng` (or your system's way)."
            )
        kept = self._place(engine, text)
        try:
            sound = kept.read_bytes()
            os.utime(kept)
        except OSError:
            sound = self._made(engine, text)
            if engine == self.engine:
                self._keep(kept, sound)
        return sound

    def sounds(self, text: str) -> Iterator[bytes]:
        """A text sentence by sentence, each made when it is asked for.

        Raises:
            ServiceMissingError: nothing can speak here.

        """
        for sentence in sentences(text):
            yield self.sound(sentence)

    def prepare(self, phrases: Iterable[str], stop: threading.Event | None = None) -> int:
        """Make the sounds of phrases that are said again and again; returns how many were not there yet."""
        made = 0
        for phrase in phrases:
            for sentence in sentences(phrase):
                if self.engine == "none" or (stop is not None and stop.is_set()):
                    return made
                made += not self._place(self.engine, sentence).is_file()
                self.sound(sentence)
        return made

    def _made(self, engine: Engine, text: str) -> bytes:
        if engine == "kokoro":
            try:
                return _file(self._kokoro.say(text), kokoro.RATE)
            except InterviewerError as error:
                _LOG.warning("The plain voice stands in: %s", error)
                self._failed = True
        return _file(self._espeak.say(text), espeak.RATE)

    def _place(self, engine: Engine, text: str) -> Path:
        folder = self._folder or paths.home() / "speech"
        voice = self._kokoro.voice if engine == "kokoro" else self._espeak.voice
        return folder / f"{hashlib.sha256(f'{engine} {voice} {text}'.encode()).hexdigest()[:32]}.wav"

    def _keep(self, place: Path, sound: bytes) -> None:
        # A disk that is full must not silence the interviewer.
        try:
            with self._lock:
                paths.made(place.parent)
                write_atomic(place, sound)
                kept = sorted(place.parent.glob("*.wav"), key=lambda path: path.stat().st_mtime)
                for old in kept[:-KEPT]:
                    old.unlink(missing_ok=True)
        except (OSError, InterviewerError) as error:
            _LOG.warning("A sound could not be kept: %s", error)


def _file(samples: Samples, rate: int) -> bytes:
    return wav(np.concatenate([samples, np.zeros(int(_PAUSE_S * rate), np.float32)]), rate)
