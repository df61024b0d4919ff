"""Whether Whisper can run on a card here: CTranslate2 loads a library of CUDA 12, which torch does not bring."""

from __future__ import annotations

import ctypes
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from serving.speech.audio import RATE

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

LIBRARY = "libcublas.so.12"
"""What CTranslate2 multiplies matrices with; it looks for it when it first does, not when it loads a model."""

PACKAGE = "nvidia-cublas-cu12"
"""The package that brings it, for who wants recognition on the card."""

WINDOW_S = 30.0


def card_lacks() -> str:
    """Why recognition cannot run on a card with what is installed, one sentence; empty where it can.

    Loads the library, so that CTranslate2 finds it where it is part of the environment.
    """
    inside = Path(sysconfig.get_path("purelib")) / "nvidia" / "cublas" / "lib" / LIBRARY
    for place in (LIBRARY, str(inside)):
        try:
            ctypes.CDLL(place, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
        return ""
    return f"Recognition runs on the processor: {LIBRARY} is missing (`.venv/bin/pip install {PACKAGE}` brings it)."


def attempt(model: WhisperModel) -> None:
    """Have a window of silence encoded: what fails on a card fails here, and not at the first answer.

    Raises:
        RuntimeError: the card cannot be used.

    """
    silence = np.zeros(round(WINDOW_S * RATE), np.float32)
    frames = round(WINDOW_S * 100)
    model.encode(model.feature_extractor(silence)[..., :frames])
