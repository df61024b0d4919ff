"""Where somebody speaks in a recording: Silero's model, as faster-whisper carries it."""

from __future__ import annotations

from serving.speech.audio import RATE, Samples

GAP_S = 0.25
"""Seconds of silence from which two stretches of speech are apart."""


def voiced(samples: Samples) -> tuple[tuple[float, float], ...]:
    """The stretches in which somebody speaks, as (start, end) in seconds, in order; none in silence or noise.

    Args:
        samples: [n] at ``RATE``.

    """
    from faster_whisper.vad import VadOptions, get_speech_timestamps  # noqa: PLC0415 - a second of imports

    if not len(samples):
        return ()
    options = VadOptions(min_silence_duration_ms=int(GAP_S * 1000), speech_pad_ms=0, min_speech_duration_ms=120)
    found = get_speech_timestamps(samples, options)
    return tuple((chunk["start"] / RATE, chunk["end"] / RATE) for chunk in found)
