"""What every engine that speaks has to keep to, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from serving.diagnostics.doctor import examine
from serving.errors import ServiceMissingError
from serving.idle import IDLE_S
from serving.progress import Progress, silent
from serving.speech.audio import Samples
from serving.speech.tts import registry
from serving.speech.tts.base import SpeechSynthesizer
from serving.speech.tts.kokoro import Kokoro, _style
from serving.speech.tts.speech_cache import SpeechCache
from tests.serving.speech.wave_files import from_wav


class Beep:
    """An engine that beeps."""

    name, voice, sample_rate, details, remedy = "beep", "one", 8_000, "a sine", "Nothing to do."
    voices: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        self.loaded = False

    def unavailable(self) -> str:
        return ""

    def load(self, progress: Progress = silent) -> None:
        self.loaded = True

    def let_go(self, idle_s: float = IDLE_S) -> None:
        self.loaded = False

    def synthesize(self, text: str, voice: str = "") -> Samples:
        return np.sin(np.arange(4_000) / 3).astype(np.float32)


class Mute(Beep):
    """An engine that cannot speak here."""

    name, remedy = "mute", "Buy a voice."

    def unavailable(self) -> str:
        return "There is no voice."


@pytest.mark.parametrize("engine", registry.ENGINES)
def test_every_engine_speaks_where_it_says_that_it_can(engine: Callable[[], SpeechSynthesizer]) -> None:
    synthesizer = engine()
    synthesizer.load(silent)
    assert synthesizer.unavailable() == ""
    assert synthesizer.details
    samples = synthesizer.synthesize("Okay, thank you.")
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert 0.5 < len(samples) / synthesizer.sample_rate < 3
    assert 0.05 < np.abs(samples).max() <= 1.5


@pytest.mark.parametrize("engine", registry.ENGINES)
def test_every_engine_says_why_it_cannot_speak_and_what_to_do(
    engine: Callable[[], SpeechSynthesizer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("serving.speech.tts.phonemes.PROGRAM", "no-such-program")
    monkeypatch.setenv("INTERVIEWER_MODELS", str(tmp_path))
    synthesizer = engine()
    synthesizer.load(silent)
    assert synthesizer.unavailable().endswith(".")
    assert synthesizer.remedy.endswith(".")
    assert list(tmp_path.iterdir()) == [], "what could not be used anyway is not fetched"


def test_names_are_different() -> None:
    names = [engine().name for engine in registry.ENGINES]
    assert len(set(names)) == len(names)


def test_a_new_engine_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENGINES", (Mute, Beep, *registry.ENGINES))
    cache = SpeechCache(tmp_path)
    assert cache.engine == "beep"
    samples, rate = from_wav(cache.sound("Okay."))
    assert rate == Beep.sample_rate
    assert len(samples) > 4_000
    told = {item.name: item for item in examine().items}
    assert told["Voice beep"].present
    assert told["Voice beep"].detail == "a sine"
    assert told["Voice mute"].detail == "There is no voice. Until then, beep stands in."
    assert told["Voice mute"].remedy == "Buy a voice."


def test_the_first_engine_that_can_speak_is_loaded_and_no_other(tmp_path: Path) -> None:
    engines = (Mute(), Beep(), Beep())
    SpeechCache(tmp_path, [lambda each=each: each for each in engines]).load()
    assert [engine.loaded for engine in engines] == [True, True, False]


def test_an_engine_that_breaks_gives_way_to_the_next(tmp_path: Path) -> None:
    class Broken(Beep):
        name = "broken"

        def synthesize(self, text: str, voice: str = "") -> Samples:
            raise ServiceMissingError("It broke.")

    cache = SpeechCache(tmp_path, [Broken, Beep])
    assert cache.engine == "broken"
    cache.sound("Okay.")
    assert cache.engine == "beep"
    with pytest.raises(ServiceMissingError, match="Nothing can speak"):
        SpeechCache(tmp_path / "other", [Mute, Broken]).sound("Okay.")


def test_a_chosen_voice_speaks_where_the_engine_has_it(tmp_path: Path) -> None:
    class Choir(Beep):
        name = "choir"
        voices: ClassVar[Mapping[str, str]] = {"one": "Low", "two": "High"}

        def synthesize(self, text: str, voice: str = "") -> Samples:
            return np.full(4_000, {"one": 0.1, "two": 0.5}[voice], np.float32)

    cache = SpeechCache(tmp_path, [Choir])
    assert cache.voices == {"one": "Low", "two": "High"}
    loudest = {voice: from_wav(cache.sound("Okay.", voice))[0].max() for voice in ("", "one", "two", "three")}
    assert loudest["two"] > 2 * loudest["one"]
    assert loudest[""] == loudest["one"] == loudest["three"]
    assert len(list(tmp_path.glob("*.wav"))) == 2


@pytest.mark.parametrize("voice", ["af_heart", "am_michael"])
def test_every_voice_that_can_be_chosen_comes_with_the_project(voice: str) -> None:
    assert voice in Kokoro.voices
    assert len(_style(voice)) == 510


def test_kokoro_speaks_with_each_of_its_voices_out_of_one_model() -> None:
    kokoro = Kokoro()
    kokoro.load(silent)
    usual, other = (kokoro.synthesize("Okay.", voice) for voice in ("", "am_michael"))
    assert usual.shape != other.shape or np.abs(usual - other).max() > 0.01
