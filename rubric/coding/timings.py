"""How a program's time grows with the size of its input, beside our solution's and the device's least."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rubric.coding.observations import Observations, is_duration, key_of
from rubric.coding.result import Timing
from rubric.coding.roofline import least_seconds, peak_bandwidth
from rubric.coding.task import CodeTestFunction, CodeTestKind
from serving.sandbox.job import JobTest


def timings(
    run: Sequence[JobTest], functions: Mapping[str, CodeTestFunction], expected: Observations, got: Observations
) -> Iterator[Timing]:
    """Yields the growth of each speed test that both programs came through at two sizes at least.

    Args:
        run: the tests, of which those of speed count.
        functions: by name, what they are.
        expected: what our own solution told.
        got: what the submission told.
    """
    for test in run:
        if functions[test.name].kind is not CodeTestKind.SPEED:
            continue
        ours = _measured(expected.cases.get(key_of(test), []))
        theirs = _measured(got.cases.get(key_of(test), []))
        sizes = sorted(ours.keys() & theirs.keys())
        if len(sizes) > 1:
            seconds, our_seconds = [theirs[size] for size in sizes], [ours[size] for size in sizes]
            yield Timing(
                title=functions[test.name].title,
                sizes=tuple(sizes),
                seconds=tuple(seconds),
                ours=tuple(our_seconds),
                exponent=_exponent(sizes, seconds),
                our_exponent=_exponent(sizes, our_seconds),
                floor=_floor(sizes, expected.cases.get(key_of(test), [])),
            )


def _measured(cases: Sequence[tuple[Any, Any]]) -> dict[float, float]:
    told = [(size, seen["seconds"] if _has_floor(seen) else seen) for size, seen in cases]
    pairs = [(size, seconds) for size, seconds in told if isinstance(size, int | float) and is_duration(seconds)]
    # Beyond a float's reach lie whole numbers that are smaller than infinity.
    return {float(size): seconds for size, seconds in pairs if 0 < size <= sys.float_info.max and seconds > 0}


def _floor(sizes: Sequence[float], ours: Sequence[tuple[Any, Any]]) -> tuple[float, ...]:
    """Least seconds of each size, from what our own solution's run told of the inputs and the device."""
    known = {
        float(size): least_seconds(seen["bytes"], peak_bandwidth(seen["clock_khz"], seen["bus_bits"]))
        for size, seen in ours
        if _has_floor(seen)
    }
    return tuple(known[size] for size in sizes) if known.keys() >= set(sizes) else ()


def _has_floor(seen: Any) -> bool:
    return isinstance(seen, dict) and seen.keys() == {"seconds", "bytes", "clock_khz", "bus_bits"}


def _exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
