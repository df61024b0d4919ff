"""Speech to text with Whisper on this machine. Silence gives nothing, and noise as little as can be had."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from serving.errors import ModelMissingError
from serving.idle import IDLE_S, LastUse
from serving.progress import Progress, silent
from serving.speech.audio import RATE, Samples
from serving.speech.models import (
    FETCH,
    WHISPER,
    WHISPER_VARIABLE,
    ensure_whisper,
    folder_of,
    named_whisper,
    not_fetched,
)
from serving.speech.stt import on_card
from serving.speech.stt.incremental import (
    NOTHING_YET,
    Stretches,
    completed,
    continued,
    is_english,
    loses,
    moved,
    says_more,
    settled,
    unwritten,
    without_echoes,
)
from serving.speech.stt.transcript import FOREIGN, Transcript, Word
from serving.speech.stt.voice_activity import voiced

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

_log = logging.getLogger(__name__)

SHORTEST_S = 0.2
"""Seconds of speech that have to be there before anything is recognized: a click or a cough is no answer."""

WINDOW_S = 28.0
"""Seconds of the longest piece that is read in one go, as fast as can be, while a recording grows."""

TOKENS_PER_S = 10
"""Tokens for a second of talk, more than anybody says."""

MOST_TOKENS = 200
"""Tokens of the longest piece, for which there is room behind the prompt."""

REPEATS = 2.4
"""How far a text can be compressed that repeats itself; Whisper's own measure."""

GOES_ON_S = 0.2
"""Seconds before the end within which a voice still speaks, so that its last word may be cut in two."""

_ROUND_S = 0.2
"""Seconds that are read on both sides of what was left out."""


class WhisperRecognizer:
    """Recognizes recordings; safe to use from several threads.

    The model is loaded when it is first needed, or by ``load``. Recordings that come at once take turns: CTranslate2
    does one step of half a minute after the other in the order in which they are asked for, so that a long recording
    holds nobody up.

    Args:
        gpu: whether to run on an NVIDIA card, in half precision, as long as that works; else on the processor in int8.

    Attributes:
        fallback: why it runs on the processor though a card was wanted, one sentence; empty where it does not.

    """

    name = "Whisper"
    remedy = FETCH

    def __init__(self, *, gpu: bool = False) -> None:
        self.fallback = on_card.card_lacks() if gpu else ""
        self._gpu = gpu and not self.fallback
        self._threads = len(os.sched_getaffinity(0))
        self._model: WhisperModel | None = None
        self._used = LastUse()
        self._lock = threading.Lock()

    @property
    def details(self) -> str:
        """Which model it is: ours, or the one that the person named."""
        named = named_whisper()
        which = f"{named}, as {WHISPER_VARIABLE} says" if named else str(folder_of(WHISPER))
        return f"{which}. {self.fallback}" if self.fallback else which

    def unavailable(self) -> str:
        """Why it cannot hear on this machine now; empty where it can."""
        return "" if named_whisper() else not_fetched(WHISPER)

    def load(self, progress: Progress = silent) -> None:
        """Fetch the model if need be, and load it so that the first answer need not wait.

        Raises:
            ModelMissingError: it could not be fetched, or cannot be loaded.
            StorageError: the disk refused.

        """
        self._loaded(progress)

    def let_go(self, idle_s: float = IDLE_S) -> None:
        """Free the model where nothing has been heard for so many seconds; it is loaded again when it is needed."""
        with self._lock:
            if self._used.idle(idle_s):
                self._model = None

    def transcribe(
        self, samples: Samples, prompt: str = "", progress: Progress = silent, before: Transcript | None = None
    ) -> Transcript:
        """What was said, word by word.

        Only stretches in which Silero's model hears a voice are recognized, since Whisper invents text for
        silence. The prompt goes before every half minute: named once, its terms would be forgotten by the second.

        Args:
            samples: [n] at ``RATE``, mono.
            prompt: text in whose manner and with whose terms is written; it is never part of the result.
            progress: told the share of the recording that is done.
            before: what this gave for the same recording when it was shorter, or ``NOTHING_YET``: what is settled
                of it is not recognized again, and the rest in less time. Left out, the recording is taken as a whole.

        Raises:
            ModelMissingError: the model could not be fetched or loaded.
            StorageError: the disk refused.

        """
        try:
            return self._transcribed(samples, prompt, progress, before)
        except RuntimeError as error:
            # As where the card's memory is full by now.
            if not self._leave_card(error):
                raise
            return self._transcribed(samples, prompt, progress, before)

    def _transcribed(self, samples: Samples, prompt: str, progress: Progress, before: Transcript | None) -> Transcript:
        duration = len(samples) / RATE
        if before is not None and duration < before.duration:
            before = None
        begin = before or NOTHING_YET
        rest = samples[round(begin.settled * RATE) :]
        stretches = moved(voiced(rest), begin.settled)
        if before is not None and not says_more(before, stretches):
            return continued(before, before.words[before.settled_words :], stretches, duration)
        if sum(end - start for start, end in stretches) < SHORTEST_S:
            return continued(begin, (), (), duration)
        model = self._loaded(progress)
        language = "en" if is_english(begin) else None
        found = None
        if before is not None and len(rest) < WINDOW_S * RATE:
            found = self._quickly(model, rest, prompt, language)
            read = tuple(_words(found[0], begin.settled, duration, silent)) if found else ()
            if loses(before, read) or unwritten(read, stretches):
                found = None
            if found is None and stretches[-1][1] > duration - GOES_ON_S:
                return before
        segments, info = found or self._run(model, rest, prompt, language)
        words = tuple(_words(segments, begin.settled, duration, progress))
        words = self._completed(model, samples, words, stretches, prompt=prompt, language=language or info.language)
        if language is None:
            known = {"language": info.language, "language_probability": min(1.0, info.language_probability)}
            begin = begin.model_copy(update=known)
        return settled(continued(begin, words, stretches, duration))

    def _loaded(self, progress: Progress) -> WhisperModel:
        with self._lock:
            self._used.note()
            if self._model is None:
                from serving.speech.stt.short_windows import Whisper  # noqa: PLC0415 - seconds of imports

                name = ensure_whisper(progress)
                progress("loading the recognizer", None)
                self._model = self._on_card(name) if self._gpu else None
                try:
                    self._model = self._model or Whisper(
                        name, device="cpu", compute_type="int8", cpu_threads=self._threads
                    )
                except (RuntimeError, ValueError, OSError) as error:
                    raise ModelMissingError(f"The recognizer {name} cannot be loaded: {error}") from error
            return self._model

    def _on_card(self, name: str) -> WhisperModel | None:
        """The model on the card; ``None`` where that does not work, which is noted."""
        from serving.speech.stt.short_windows import Whisper  # noqa: PLC0415 - seconds of imports

        try:
            model = Whisper(name, device="cuda", compute_type="float16")
            on_card.attempt(model)
        except (RuntimeError, ValueError, OSError) as error:
            self._note(error)
            return None
        return model

    def _leave_card(self, error: Exception) -> bool:
        """Go on on the processor; whether it was on the card."""
        with self._lock:
            if not self._gpu:
                return False
            self._note(error)
            self._model = None
        return True

    def _note(self, error: Exception) -> None:
        self._gpu = False
        self.fallback = f"Recognition runs on the processor, since it failed on the card: {error}"
        _log.warning("%s", self.fallback)

    def _quickly(
        self, model: WhisperModel, samples: Samples, prompt: str, language: str | None
    ) -> tuple[Iterable[Any], Any] | None:
        """What is read in a short window; ``None`` where it was said again and again, as after a word cut in two."""
        from serving.speech.stt.short_windows import short_windows  # noqa: PLC0415 - seconds of imports

        most = min(MOST_TOKENS, round(TOKENS_PER_S * len(samples) / RATE) + TOKENS_PER_S)
        with short_windows():
            segments, info = self._run(model, samples, prompt, language, most)
            read = list(segments)
        if any(segment.compression_ratio > REPEATS for segment in read):
            return None
        return (read, info) if sum(len(segment.tokens) for segment in read) < most else None

    def _completed(
        self,
        model: WhisperModel,
        samples: Samples,
        words: tuple[Word, ...],
        stretches: Stretches,
        *,
        prompt: str,
        language: str,
    ) -> tuple[Word, ...]:
        """The words with those that were left out; with a prompt, Whisper now and then stops before the end."""
        for told in dict.fromkeys((prompt, "")):
            for start, end in unwritten(words, stretches):
                begin = max(0.0, start - _ROUND_S)
                piece = samples[round(begin * RATE) : round((end + _ROUND_S) * RATE)]
                segments, _ = self._run(model, piece, told, language)
                words = completed(words, tuple(_words(segments, begin, end, silent)), (start, end))
        return words

    @staticmethod
    def _run(
        model: WhisperModel, samples: Samples, prompt: str, language: str | None, most_tokens: int | None = None
    ) -> tuple[Iterable[Any], Any]:
        """What is read, in English where the language is not plainly another.

        Tried once where tokens are limited or a prompt is given: with a prompt, what is said again and again is said
        again and again the next time too. It is left out, and ``_completed`` reads it without the prompt.
        """

        def run(language: str | None) -> tuple[Iterable[Any], Any]:
            segments, info = model.transcribe(
                samples,
                language=language,
                beam_size=1,
                temperature=0.0 if prompt or most_tokens is not None else (0.0, 0.4),
                condition_on_previous_text=False,
                # Stands before every window where no earlier text does; `initial_prompt` before the first only.
                hotwords=prompt or None,
                word_timestamps=True,
                vad_filter=True,
                max_new_tokens=most_tokens,
            )
            if prompt and most_tokens is None:
                return (each for each in segments if each.compression_ratio <= REPEATS), info
            return segments, info

        segments, info = run(language)
        doubtful = info.language != "en" and info.language_probability < FOREIGN
        return run("en") if doubtful else (segments, info)


def _words(segments: Iterable[Any], begin: float, duration: float, progress: Progress) -> Iterator[Word]:
    """The words of all segments without echoes of the prompt."""
    return without_echoes(_all_words(segments, begin, duration, progress))


def _all_words(segments: Iterable[Any], begin: float, duration: float, progress: Progress) -> Iterator[Word]:
    """The words of all segments, which begin so many seconds into the recording.

    What is written without a blank before it belongs to the word before.
    """
    last: Word | None = None
    for segment in segments:
        for piece in segment.words or ():
            if not piece.word.strip():
                continue
            word = _word(piece, begin)
            if last is not None and not piece.word.startswith(" "):
                last = Word(
                    text=last.text + word.text,
                    start=last.start,
                    end=max(last.end, word.end),
                    probability=min(last.probability, word.probability),
                )
                continue
            if last is not None:
                yield last
            last = word
        progress("recognizing what you said", min(1.0, (begin + segment.end) / max(duration, 0.1)))
    if last is not None:
        yield last


def _word(piece: Any, begin: float) -> Word:
    start = begin + max(0.0, float(piece.start))
    probability = min(1.0, max(0.0, float(piece.probability)))
    end = max(start, begin + float(piece.end))
    return Word(text=piece.word.strip(), start=round(start, 2), end=round(end, 2), probability=round(probability, 3))
