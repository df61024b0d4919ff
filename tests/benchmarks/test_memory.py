from __future__ import annotations

import asyncio
import os
from contextlib import suppress

import pytest

from tests.benchmarks.memory import Sample, sampled, slope, table


def samples(*held: float, every_s: float = 360.0) -> list[Sample]:
    return [Sample(place * every_s, pss, 10, 20) for place, pss in enumerate(held)]


def test_a_slope_is_of_the_second_half() -> None:
    filling_then_still = samples(100, 300, 400, 450, 500, 500, 500, 500, 500, 500)
    assert slope(filling_then_still).per_hour == pytest.approx(0, abs=1e-9)
    growing = samples(*(100 + 5 * place for place in range(11)))
    assert slope(growing).per_hour == pytest.approx(50)
    assert slope(growing).error == pytest.approx(0, abs=1e-9)


def test_noise_is_told_from_growth() -> None:
    noisy = slope(samples(*(500 + 20 * (-1) ** place for place in range(40))))
    assert abs(noisy.per_hour) < 2 * noisy.error


def test_too_few_samples_have_no_slope() -> None:
    with pytest.raises(ValueError, match="too few"):
        slope(samples(1, 2, 3))


def test_a_table_has_the_first_and_the_last_sample() -> None:
    lines = list(table(samples(*range(100, 200)), rows=5))
    assert len(lines) == 7
    assert lines[2].startswith("| 0.0 | 100 |")
    assert lines[-1].startswith("| 594.0 | 199 |")


def test_a_process_is_sampled_until_that_is_canceled() -> None:
    held: list[Sample] = []

    async def some() -> None:
        task = asyncio.create_task(sampled(os.getpid(), held, 0.001))
        while len(held) < 3:
            await asyncio.sleep(0.001)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(some(), 60))
    assert held[0].pss > 1
    assert held[0].files > 0
    assert held[-1].seconds >= held[0].seconds
