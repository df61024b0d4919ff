"""A speech model that nobody uses is let go, and is there again when somebody speaks."""

from __future__ import annotations

import numpy as np

from serving.idle import LastUse
from serving.speech.audio import RATE
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.kokoro import Kokoro
from serving.speech.tts.speech_cache import SpeechCache


def test_what_was_used_is_not_idle_for_a_while() -> None:
    now = [0.0]
    use = LastUse(lambda: now[0])
    now[0] = 9.0
    assert not use.idle(10)
    use.note()
    now[0] = 18.0
    assert not use.idle(10)
    now[0] = 19.0
    assert use.idle(10)


def test_a_voice_is_let_go_and_comes_back() -> None:
    kokoro = Kokoro()
    said = kokoro.synthesize("Okay.")
    kokoro.let_go()
    assert kokoro._session is not None
    SpeechCache(engines=[lambda: kokoro]).let_go(0.0)
    assert kokoro._session is None
    np.testing.assert_allclose(kokoro.synthesize("Okay."), said, atol=1e-3)


def test_a_recognizer_is_let_go_and_comes_back() -> None:
    kokoro, whisper = Kokoro(), WhisperRecognizer()
    said = kokoro.synthesize("The gradient is added up.")
    at = np.arange(0, len(said) / kokoro.sample_rate, 1 / RATE)
    samples = np.interp(at, np.arange(len(said)) / kokoro.sample_rate, said).astype(np.float32)
    heard = whisper.transcribe(samples).text
    whisper.let_go()
    assert whisper._model is not None
    whisper.let_go(0.0)
    assert whisper._model is None
    assert whisper.transcribe(samples).text == heard
