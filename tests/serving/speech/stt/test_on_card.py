"""Recognition on a card that does not work goes on on the processor, and says why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from serving.diagnostics import doctor
from serving.speech.audio import RATE
from serving.speech.stt import on_card, short_windows
from serving.speech.stt.on_card import attempt, card_lacks
from serving.speech.stt.whisper import WhisperRecognizer
from tests.serving.gpu.machines import machine

NOISE = (0.2 * np.random.default_rng(0).standard_normal(2 * RATE)).astype(np.float32)
MISSING = "Library libcublas.so.12 is not found or cannot be loaded"


class Fails:
    """Whisper whose encoder cannot run on a card, as CTranslate2's without a library: loading it works."""

    made: list[str] = []  # noqa: RUF012 - shared on purpose

    def __init__(self, name: str, *, device: str, compute_type: str, cpu_threads: int = 0) -> None:
        self.made.append(f"{device} {compute_type}")
        self.device = device

    @staticmethod
    def feature_extractor(samples: Any) -> Any:
        return np.zeros((80, len(samples) // 160 + 1), np.float32)

    def encode(self, features: Any) -> Any:
        if self.device == "cuda":
            raise RuntimeError(MISSING)
        return features


class FailsLater(Fails):
    """Whisper on a card whose memory is full when the first answer comes."""

    def encode(self, features: Any) -> Any:
        return features

    def transcribe(self, samples: Any, **_: Any) -> Any:
        if self.device == "cuda":
            raise RuntimeError("CUDA failed with error out of memory")
        info = type("Info", (), {"language": "en", "language_probability": 1.0})()
        return iter(()), info


@pytest.fixture
def library_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_card, "LIBRARY", "libc.so.6")
    monkeypatch.setattr(Fails, "made", [])


def test_without_the_library_the_card_is_not_even_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_card, "LIBRARY", "libno-such-cublas.so.12")
    recognizer = WhisperRecognizer(gpu=True)
    assert "libno-such-cublas.so.12 is missing" in recognizer.fallback
    assert on_card.PACKAGE in recognizer.details
    assert not recognizer._gpu
    assert not WhisperRecognizer().fallback


def test_an_encoder_that_fails_is_found_when_the_model_is_loaded(
    monkeypatch: pytest.MonkeyPatch, library_there: None
) -> None:
    monkeypatch.setattr(short_windows, "Whisper", Fails)
    assert card_lacks() == ""
    recognizer = WhisperRecognizer(gpu=True)
    recognizer.load()
    assert Fails.made == ["cuda float16", "cpu int8"]
    assert MISSING in recognizer.fallback
    assert MISSING in recognizer.details


def test_a_card_that_fails_later_is_left_and_the_answer_is_heard(
    monkeypatch: pytest.MonkeyPatch, library_there: None
) -> None:
    monkeypatch.setattr(short_windows, "Whisper", FailsLater)
    monkeypatch.setattr("serving.speech.stt.whisper.voiced", lambda samples: [(0.0, 2.0)])
    recognizer = WhisperRecognizer(gpu=True)
    assert recognizer.transcribe(NOISE).duration == 2.0
    assert Fails.made == ["cuda float16", "cpu int8"]
    assert "out of memory" in recognizer.fallback


def test_the_trial_is_a_window_that_the_real_model_encodes() -> None:
    recognizer = WhisperRecognizer()
    recognizer.load()
    attempt(recognizer._model)


def test_doctor_tells_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_card, "LIBRARY", "libno-such-cublas.so.12")
    monkeypatch.setattr(doctor.hardware, "inspect", lambda folder: machine("A100"))
    told = {item.name: item.detail for item in doctor.examine().items}
    assert "Recognition runs on the processor" in told["Recognizer Whisper"]
