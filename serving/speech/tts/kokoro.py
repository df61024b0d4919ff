"""Kokoro-82M: phonemes to speech, on the processor."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from serving.errors import BadInputError, ModelMissingError
from serving.idle import IDLE_S, LastUse
from serving.progress import Progress, silent
from serving.speech.audio import Samples
from serving.speech.models import FETCH, KOKORO, ensure, folder_of, not_fetched
from serving.speech.tts import phonemes

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

LONGEST = 500
"""Phonemes of the longest text that is said in one go; Kokoro reads 510 tokens."""

VOICES = {
    "af_heart": "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    "am_michael": "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
}
"""The voices that come with the project, and the publisher's SHA-256 of each."""

NAMES = {"af_heart": "Heart, a woman’s voice", "am_michael": "Michael, a man’s voice"}
"""What each is called where one chooses."""

_FOLDER = Path(__file__).parent / "voices"

# Kokoro's letters and their numbers, from the model's own configuration.
_LETTERS = {
    ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "—": 9, "…": 10, " ": 16, "ʣ": 18, "ʦ": 20, "A": 24, "I": 25,
    "O": 31, "Q": 33, "W": 39, "Y": 41, "ᵊ": 42, "a": 43, "b": 44, "c": 45, "d": 46, "e": 47, "f": 48, "h": 50, "i": 51,
    "j": 52, "k": 53, "l": 54, "m": 55, "n": 56, "o": 57, "p": 58, "q": 59, "r": 60, "s": 61, "t": 62, "u": 63, "v": 64,
    "w": 65, "x": 66, "y": 67, "z": 68, "ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72, "ɔ": 76, "ð": 81, "ʤ": 82, "ə": 83, "ɚ": 85,
    "ɛ": 86, "ɜ": 87, "ɡ": 92, "ɪ": 102, "ŋ": 112, "θ": 119, "ɹ": 123, "ɾ": 125, "ʃ": 131, "ʧ": 133, "ʊ": 135, "ʌ": 138,
    "ʒ": 147, "ʔ": 148, "ˈ": 156, "ˌ": 157, "ː": 158, "ᵻ": 177,
}  # fmt: skip


class Kokoro:
    """Speaks; safe to use from several threads, one text at a time.

    The model is loaded when it is first needed, or by ``load``.

    Args:
        voice: the one of ``VOICES`` that speaks where none is chosen.

    Raises:
        BadInputError: there is no such voice.

    """

    name = "kokoro"
    sample_rate = 24_000
    voices = NAMES

    def __init__(self, voice: str = "af_heart") -> None:
        if voice not in VOICES:
            raise BadInputError(f"There is no voice {voice}.", hint=f"Choose among: {', '.join(VOICES)}.")
        self.voice = voice
        self._session: InferenceSession | None = None
        self._used = LastUse()
        self._styles: dict[str, Samples] = {}
        self._lock = threading.Lock()

    @property
    def details(self) -> str:
        """Where the model lies."""
        return str(folder_of(KOKORO))

    @property
    def remedy(self) -> str:
        """What to do where it cannot speak."""
        return FETCH if phonemes.is_there() else phonemes.REMEDY

    def unavailable(self) -> str:
        """Why it cannot speak on this machine now; empty where it can."""
        if not phonemes.is_there():
            return f"{phonemes.PROGRAM}, which tells it how words sound, is not installed."
        return not_fetched(KOKORO)

    def load(self, progress: Progress = silent) -> None:
        """Fetch the model if need be, and load it; nothing where espeak-ng is missing.

        Raises:
            ModelMissingError: it could not be fetched or loaded, or the voice is not what it should be.
            StorageError: the disk refused.

        """
        if phonemes.is_there():
            with self._lock:
                self._loaded(self.voice, progress)

    def let_go(self, idle_s: float = IDLE_S) -> None:
        """Free the model where nothing has been said for so many seconds; it is loaded again when it is needed."""
        with self._lock:
            if self._used.idle(idle_s):
                self._session = None

    def synthesize(self, text: str, voice: str = "") -> Samples:
        """A text as speech, [n] at ``sample_rate``.

        Args:
            text: as it is said, without markup or symbols.
            voice: one of ``VOICES``; its own where that is empty.

        Raises:
            BadInputError: there is no such voice.
            ServiceMissingError: espeak-ng is not there, which the phonemes come from.
            ModelMissingError: the model could not be fetched or loaded.

        """
        chosen = voice or self.voice
        if chosen not in VOICES:
            raise BadInputError(f"There is no voice {chosen}.", hint=f"Choose among: {', '.join(VOICES)}.")
        written = phonemes.phonemes(text, chosen)
        with self._lock:
            session, style = self._loaded(chosen, silent)
            spoken = [self._run(session, style, numbers(piece)) for piece in pieces(written)]
        return np.concatenate([each for each in spoken if len(each)] or [np.zeros(0, np.float32)])

    def _loaded(self, voice: str, progress: Progress) -> tuple[InferenceSession, Samples]:
        self._used.note()
        if self._session is None:
            folder = ensure(KOKORO, progress)
            import onnxruntime  # noqa: PLC0415 - a second of imports

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = len(os.sched_getaffinity(0))
            # Threads that spin between words would take a core from whatever runs beside.
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            try:
                self._session = onnxruntime.InferenceSession(
                    str(folder / KOKORO.file), options, providers=["CPUExecutionProvider"]
                )
            except Exception as error:
                raise ModelMissingError(f"The voice model in {folder} cannot be loaded: {error}") from error
        if voice not in self._styles:
            self._styles[voice] = _style(voice)
        return self._session, self._styles[voice]

    @staticmethod
    def _run(session: InferenceSession, style: Samples, tokens: list[int]) -> Samples:
        if not tokens:
            return np.zeros(0, np.float32)
        import onnxruntime  # noqa: PLC0415 - it is loaded by now

        options = onnxruntime.RunOptions()
        # Its heap would keep what the longest sentence took. Without one the C library's heap breaks into pieces: a
        # sentence of 40 words then takes 2.2 GB, not 0.3.
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        given = {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": style[min(len(tokens), len(style)) - 1].reshape(1, -1),
            "speed": np.ones(1, dtype=np.float32),
        }
        return np.asarray(session.run(None, given, options)[0], dtype=np.float32).ravel()


def pieces(written: str) -> list[str]:
    """Phonemes in pieces short enough for the model, cut after punctuation or else between words."""
    found = [""]
    for word in written.split(" "):
        longer = f"{found[-1]} {word}".strip()
        if len(longer) <= LONGEST:
            found[-1] = longer
            continue
        cut = max(found[-1].rfind(mark) for mark in ".,;:!?")
        left, rest = (found[-1][: cut + 1], found[-1][cut + 1 :]) if cut > LONGEST // 2 else (found[-1], "")
        found[-1:] = [left, f"{rest} {word}".strip()[:LONGEST]]
    return [piece for piece in found if piece]


def numbers(written: str) -> list[int]:
    """Phonemes as the model's numbers; what it has no letter for is left out."""
    return [_LETTERS[letter] for letter in written if letter in _LETTERS]


def _style(voice: str) -> Samples:
    """What makes a voice, [510, 256]: one row for each length of text."""
    data = (_FOLDER / f"{voice}.bin").read_bytes()
    if hashlib.sha256(data).hexdigest() != VOICES[voice]:
        raise ModelMissingError(f"The voice {voice} in {_FOLDER} is not the one it should be.")
    return np.frombuffer(data, dtype="<f4").reshape(510, 256)
