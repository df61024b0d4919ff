"""Fuzz target: streams of frames as a hostile submission could write them, read, compared and judged.

An input is a stream. It is read by the product's decoder, a process of its own that may not die of it; what was read is
shown, compared with values of every kind, and made into a result that can be stored. ``python -m
tests.serving.sandbox.frame_fuzz`` does the same by number instead of time, and keeps a stream that ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from serving.sandbox.frame_decoder import FrameDecoder
from tests.fuzz.target import FoundError, Target
from tests.fuzz.traces import traced
from tests.serving.sandbox import frame_fuzz


class Frames:
    """The target; use ``opened``."""

    def __init__(self, decoder: FrameDecoder) -> None:
        self._decoder = decoder
        self._seeds = frame_fuzz.corpus()

    def make(self, rng: Random) -> bytes:
        """See ``Target.make``."""
        return frame_fuzz.mutated(rng, self._seeds)

    def check(self, data: bytes) -> str:
        """See ``Target.check``."""
        try:
            counted = frame_fuzz.check(self._decoder, data)
        except Exception as error:
            raise FoundError(f"reading or comparing it raised {traced(error)}") from error
        return next(iter(counted))


@contextmanager
def opened() -> Iterator[Target]:
    """The target with a decoder that waits."""
    decoder = FrameDecoder()
    decoder.warm()
    try:
        yield Frames(decoder)
    finally:
        decoder.close()
