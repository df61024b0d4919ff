"""The least time that memory allows, and times below it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.report.phrases import code as code_words
from rubric.coding.observations import observations
from rubric.coding.result import Timing
from rubric.coding.roofline import is_impossible, least_seconds, peak_bandwidth
from rubric.coding.task import read_tests
from rubric.coding.timings import timings
from serving.sandbox.job import JobTest, WorkerOutcome
from serving.sandbox.report import Report

CARD = {"clock_khz": 1_593_000, "bus_bits": 5120}
"""An A100 with 80 GB: 2,039 GB a second by its data sheet."""

MEASURED = st.floats(1e-9, 1e3)


def test_the_bandwidth_of_a_known_card() -> None:
    assert peak_bandwidth(**CARD) == pytest.approx(2.039e12, rel=1e-3)


def test_a_gigabyte_takes_half_a_millisecond_there() -> None:
    assert least_seconds(1e9, peak_bandwidth(**CARD)) == pytest.approx(4.9e-4, rel=1e-2)


@pytest.mark.parametrize("clock_and_bus", [(0, 5120), (1_593_000, 0), (-1, -1)])
def test_what_a_driver_does_not_tell_forbids_nothing(clock_and_bus: tuple[int, int]) -> None:
    floor = least_seconds(1e12, peak_bandwidth(*clock_and_bus))
    assert floor == 0
    assert not is_impossible(0.0, floor)


@given(seconds=MEASURED, floor=MEASURED)
def test_only_what_lies_below_the_floor_is_impossible(seconds: float, floor: float) -> None:
    assert is_impossible(seconds, floor) == (seconds < 0.9 * floor)
    assert not is_impossible(floor, floor)


@given(sizes=st.lists(st.floats(0, 1e12), min_size=2, max_size=2), bandwidth=st.floats(1e6, 1e13))
def test_the_floor_grows_with_the_bytes(sizes: list[float], bandwidth: float) -> None:
    less, more = sorted(sizes)
    assert least_seconds(less, bandwidth) <= least_seconds(more, bandwidth)


MEMORY = {"clock_khz": 2_000_000, "bus_bits": 4000}
"""2 TB a second."""


def told(seconds: list[object]) -> Report:
    run = {"test": "speed_with_length", "dtype": "float32", "device": "cuda"}
    cases = [{**run, "shown": size, "seen": each} for size, each in zip((10**6, 10**8), seconds, strict=True)]
    return Report(end=WorkerOutcome.DONE, told=(*cases, {**run, "seconds": 0.1}))


def timing(theirs: list[object]) -> Timing:
    source = "def speed_with_length(t):\n    yield 1, t.seconds(print)\n"
    run = [JobTest(name="speed_with_length", dtype="float32", seed=1, device="cuda")]
    ours = [{"seconds": s, "bytes": b, **MEMORY} for s, b in ((1e-5, 4 * 10**6), (4e-4, 4 * 10**8))]
    functions = {test.name: test for test in read_tests(source)}
    (found,) = timings(run, functions, observations(told(ours)), observations(told(theirs)))
    return found


def test_a_time_that_no_memory_allows_is_flagged_and_nothing_else() -> None:
    honest = timing([{"seconds": 2e-5, "bytes": 4 * 10**6, **MEMORY}, 5e-4])
    assert honest.floor == pytest.approx((2e-6, 2e-4))
    assert not honest.impossible
    assert "no card" not in code_words.timing(honest)
    turned = timing([1e-5, 1e-6])
    assert turned.impossible
    assert "shorter than the GPU needs to read the input" in code_words.timing(turned)


def test_of_times_that_grow_alike_nothing_is_said() -> None:
    alike = Timing(title="t", sizes=(1, 2), seconds=(1, 2), ours=(1, 2), exponent=1.04, our_exponent=0.96)
    assert code_words.timing(alike) == ""
    slower = alike.model_copy(update={"exponent": 2.0})
    assert code_words.timing(slower) == "t, as advice only: your time grows like n^2.0, our solution’s like n^1.0."


def test_what_the_program_says_of_its_bytes_is_not_believed() -> None:
    lying = timing([{"seconds": 1e-6, "bytes": 0, "clock_khz": 10**12, "bus_bits": 10**6}] * 2)
    assert lying.impossible


def test_without_a_floor_nothing_is_flagged() -> None:
    assert not Timing(title="t", sizes=(1, 2), seconds=(0, 0), ours=(1, 1), exponent=1, our_exponent=1).impossible
