"""Recordings in and out: any format becomes mono samples, samples become WAV."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serving.errors import BadInputError

RATE = 16_000
"""Samples a second that recognition works with."""

LONGEST_S = 60 * 60
"""Seconds of the longest recording that is taken."""

Samples = NDArray[np.float32]
"""[n] mono, -1 to 1."""


def read(path: Path | str) -> Samples:
    """A recording of any common format (WAV, WebM, MP3, Ogg, M4A …), resampled to ``RATE``.

    Raises:
        BadInputError: there is no such file, it holds no sound, or it is longer than an hour.

    """
    path = Path(path)
    if not path.is_file():
        raise BadInputError(f"There is no recording {path}.")
    # Both bring PyAV, which takes a second to import and is needed by nobody who types.
    from av.error import FFmpegError  # noqa: PLC0415
    from faster_whisper.audio import decode_audio  # noqa: PLC0415

    try:
        samples = np.asarray(decode_audio(str(path), sampling_rate=RATE), dtype=np.float32)
    except (FFmpegError, IndexError, ValueError, OSError) as error:
        raise BadInputError(
            f"{path} cannot be read as a recording.", hint="WAV, WebM, MP3, Ogg and M4A can be."
        ) from error
    if len(samples) > LONGEST_S * RATE:
        raise BadInputError(
            f"{path} is longer than {LONGEST_S // 60} minutes.", hint="Cut it into parts and give them one by one."
        )
    return samples


def wav(samples: Samples, rate: int) -> bytes:
    """Samples as a WAV file, 16 bits, mono."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.clip(samples, -1.0, 1.0) * 32767).astype("<i2").tobytes())
    return out.getvalue()
