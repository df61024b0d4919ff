"""Text to sound with the best voice there is; what was said once is kept on the disk."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from serving import paths
from serving.atomic import write_atomic
from serving.errors import InterviewerError, ServiceMissingError
from serving.idle import IDLE_S
from serving.progress import Progress, silent
from serving.speech.audio import Samples, wav
from serving.speech.tts import registry
from serving.speech.tts.base import NO_ENGINE, SpeechSynthesizer
from serving.speech.tts.sentences import sentences

KEPT = 2_000
"""Most sentences kept on the disk, about 300 MB; the least recently said goes first."""

_PAUSE_S = 0.18
_LOG = logging.getLogger(__name__)


class SpeechCache:
    """Speaks with the first engine that can; safe to use from several threads.

    Args:
        folder: where sounds are kept; left out, with the person's data.
        engines: by preference; left out, those of the registry.

    """

    def __init__(
        self, folder: Path | None = None, engines: Sequence[Callable[[], SpeechSynthesizer]] | None = None
    ) -> None:
        self._folder = folder
        self._engines = tuple(engine() for engine in (registry.ENGINES if engines is None else engines))
        self._failed: set[str] = set()
        self._lock = threading.Lock()

    @property
    def engine(self) -> str:
        """What speaks now, ``NO_ENGINE`` where nothing can: it may become better once models are there."""
        return next((engine.name for engine in self._able()), NO_ENGINE)

    @property
    def voices(self) -> Mapping[str, str]:
        """The voices of what speaks now that can be chosen, and what each is called."""
        return next((engine.voices for engine in self._able()), {})

    def load(self, progress: Progress = silent) -> None:
        """Fetch and load the best voice that can be used.

        Raises:
            ModelMissingError: it could not be fetched or loaded.
            StorageError: the disk refused.

        """
        for engine in self._engines:
            engine.load(progress)
            if not engine.unavailable():
                return

    def let_go(self, idle_s: float = IDLE_S) -> None:
        """Free the models of voices that have not spoken for so many seconds."""
        for engine in self._engines:
            engine.let_go(idle_s)

    def sound(self, text: str, voice: str = "") -> bytes:
        """A sentence as a WAV file, made or taken from the disk.

        Args:
            text: as it is said, without markup or symbols.
            voice: one of ``voices``; an engine that has no such voice speaks with its own.

        Raises:
            ServiceMissingError: nothing can speak here.

        """
        for engine in self._able():
            chosen = voice if voice in engine.voices else engine.voice
            kept = self._place(engine, chosen, text)
            try:
                sound = kept.read_bytes()
                os.utime(kept)
            except OSError:
                try:
                    sound = _file(engine.synthesize(text, chosen), engine.sample_rate)
                except InterviewerError as error:
                    _LOG.warning("%s cannot speak, another voice stands in: %s", engine.name, error)
                    self._failed.add(engine.name)
                    continue
                self._keep(kept, sound)
            return sound
        raise ServiceMissingError("Nothing can speak on this machine.", hint=" ".join(self._remedies()))

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
                engine = next(self._able(), None)
                if engine is None or (stop is not None and stop.is_set()):
                    return made
                made += not self._place(engine, engine.voice, sentence).is_file()
                self.sound(sentence)
        return made

    def _able(self) -> Iterator[SpeechSynthesizer]:
        return (engine for engine in self._engines if engine.name not in self._failed and not engine.unavailable())

    def _remedies(self) -> list[str]:
        return list(dict.fromkeys(engine.remedy for engine in self._engines if engine.unavailable()))

    def _place(self, engine: SpeechSynthesizer, voice: str, text: str) -> Path:
        folder = self._folder or paths.home() / "speech"
        name = hashlib.sha256(f"{engine.name} {voice} {text}".encode()).hexdigest()[:32]
        return folder / f"{name}.wav"

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
