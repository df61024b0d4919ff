"""Short pieces of recordings, small enough to stand in a page: Opus in Ogg, which browsers play by themselves."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from serving.errors import BadInputError
from serving.speech.audio import RATE

_BITS_A_SECOND = 20_000
"""Speech of one voice is clear at this rate."""

_FOR_SPEECH = {"application": "voip", "vbr": "constrained"}


def clip(recordings: Sequence[Path], start: float, seconds: float) -> bytes:
    """A piece of recordings that follow each other, as an Ogg file with Opus sound, mono.

    Args:
        recordings: files of any common format, in order.
        start: seconds from the beginning of the first one.
        seconds: length of the piece; less where the recordings end before.

    Raises:
        BadInputError: a recording is gone or holds no sound, or nothing is left of it after the start.

    """
    # PyAV takes a second to import and is needed by nobody who types.
    from av.error import FFmpegError  # noqa: PLC0415

    first, last = round(max(start, 0.0) * RATE), round((max(start, 0.0) + seconds) * RATE)
    kept: list[np.ndarray] = []
    passed = 0
    try:
        for samples in chain.from_iterable(map(_samples, recordings)):
            kept.append(samples[max(first - passed, 0) : max(last - passed, 0)])
            passed += len(samples)
            if passed >= last:
                break
    except (FFmpegError, OSError, ValueError, IndexError) as error:
        raise BadInputError("A recording is gone or cannot be read.") from error
    piece = np.concatenate(kept) if kept else np.empty(0, np.int16)
    if not len(piece):
        raise BadInputError(f"The recording has no sound at {start:.1f} seconds.")
    return _ogg(piece)


def _samples(recording: Path) -> Iterator[np.ndarray]:
    """The samples of a recording, [n] mono at ``RATE``, bit by bit."""
    import av  # noqa: PLC0415

    with av.open(str(recording), mode="r", metadata_errors="ignore") as container:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        for frame in chain(container.decode(audio=0), (None,)):
            for piece in resampler.resample(frame):
                yield piece.to_ndarray().reshape(-1)


def _ogg(samples: np.ndarray) -> bytes:
    import av  # noqa: PLC0415

    written = io.BytesIO()
    with av.open(written, mode="w", format="ogg") as container:
        stream = container.add_stream("libopus", rate=RATE, layout="mono", options=_FOR_SPEECH)
        stream.bit_rate = _BITS_A_SECOND
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = RATE
        for packet in chain(stream.encode(frame), stream.encode(None)):
            container.mux(packet)
    return written.getvalue()
