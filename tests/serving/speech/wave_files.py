"""Reads the WAV files that our voices write."""

from __future__ import annotations

import io
import wave

import numpy as np


def from_wav(data: bytes) -> tuple[np.ndarray, int]:
    """The samples of a WAV file of 16 bits with one channel, between -1 and 1, and how many there are a second."""
    with wave.open(io.BytesIO(data), "rb") as file:
        assert (file.getsampwidth(), file.getnchannels()) == (2, 1)
        frames = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
        return (frames / 32768.0).astype(np.float32), file.getframerate()
