"""What every engine that hears has to keep to, whichever it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from interviewer.cli.container import Container
from serving.diagnostics.doctor import examine
from serving.idle import IDLE_S
from serving.progress import Progress, silent
from serving.speech import audio
from serving.speech.audio import RATE, Samples
from serving.speech.stt import registry
from serving.speech.stt.transcript import Transcript
from serving.speech.tts.kokoro import Kokoro


class Parrot:
    """An engine that hears nothing but itself."""

    name, details, remedy = "parrot", "a cage", "Feed it."
    why = ""

    def __init__(self, *, gpu: bool = False) -> None:
        self.gpu = gpu

    def unavailable(self) -> str:
        return self.why

    def load(self, progress: Progress = silent) -> None:
        pass

    def let_go(self, idle_s: float = IDLE_S) -> None:
        pass

    def transcribe(
        self, samples: Samples, prompt: str = "", progress: Progress = silent, before: Transcript | None = None
    ) -> Transcript:
        return Transcript(text="polly", duration=len(samples) / RATE)


@pytest.mark.parametrize("engine", registry.ENGINES)
def test_every_engine_hears_what_is_said_and_nothing_in_silence(
    engine: registry.RecognizerFactory, tmp_path: Path
) -> None:
    recognizer = engine()
    recognizer.load(silent)
    assert recognizer.unavailable() == ""
    assert recognizer.details
    assert recognizer.transcribe(np.zeros(2 * RATE, np.float32)).text == ""
    recording = tmp_path / "said.wav"
    recording.write_bytes(audio.wav(Kokoro().synthesize("The gradient is kept."), Kokoro.sample_rate))
    samples = audio.read(recording)
    found = recognizer.transcribe(samples, "PyTorch.")
    assert "gradient" in found.text.lower()
    assert found.words
    assert found.duration == pytest.approx(len(samples) / RATE)


@pytest.mark.parametrize("engine", registry.ENGINES)
def test_every_engine_says_why_it_cannot_hear_and_what_to_do(
    engine: registry.RecognizerFactory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INTERVIEWER_MODELS", str(tmp_path))
    monkeypatch.delenv("INTERVIEWER_WHISPER", raising=False)
    recognizer = engine()
    assert recognizer.unavailable().endswith(".")
    assert recognizer.remedy.endswith(".")


def test_a_new_engine_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENGINES", (Parrot, *registry.ENGINES))
    heard = Container().recognizer.transcribe(np.zeros(RATE, np.float32))
    assert heard.text == "polly"
    told = {item.name: item for item in examine().items}
    assert told["Recognizer parrot"].detail == "a cage"


def test_one_that_cannot_hear_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    class Asleep(Parrot):
        why = "It sleeps."

    monkeypatch.setattr(registry, "ENGINES", (Asleep, Parrot))
    assert type(registry.preferred()) is Parrot
    monkeypatch.setattr(registry, "ENGINES", (Asleep,))
    assert type(registry.preferred(gpu=True)) is Asleep
    told = {item.name: item for item in examine().items}
    assert told["Recognizer parrot"].detail == "It sleeps. Until then, typing works without it."
