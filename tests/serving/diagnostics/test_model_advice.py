"""What is said of better models follows from the machine, and claims no measurement that was not made."""

import pytest

from serving.diagnostics.doctor import examine
from serving.diagnostics.model_advice import MEASURE, SIZES, better
from serving.machine import Gpu, Machine, choose


def machine(*gigabytes):
    cards = tuple(Gpu(name="card", memory=int(size * 1e9)) for size in gigabytes)
    return Machine(cores=(0, 1), memory=int(24e9), free_memory=int(20e9), free_disk=int(1e11), flags=(), gpus=cards)


def said(*gigabytes, url=None):
    found = machine(*gigabytes)
    return " ".join(better(found, choose(found, url)))


@pytest.mark.parametrize(
    ("gigabytes", "fits"),
    [
        ((80,), "72 billion parameters in 4 bits"),
        ((22, 8), "8 billion parameters in 16 bits"),
        ((24,), "32 billion parameters in 4 bits"),
        ((12,), "14 billion parameters in 4 bits"),
        ((8,), "8 billion parameters in 4 bits"),
    ],
)
def test_the_largest_card_decides_what_fits(gigabytes, fits):
    assert fits in said(*gigabytes)
    assert "None was measured" in said(*gigabytes)


def test_what_fits_does():
    assert all(size.memory > 4e9 for size in SIZES)
    assert "none that is much larger" in said(4)


def test_without_a_card_the_time_is_reckoned_and_said_to_be_so():
    assert "reckoned, not measured" in said()


@pytest.mark.parametrize("sentence", [said(), said(24), said(url="http://127.0.0.1:1")])
def test_the_way_to_measure_is_named(sentence):
    assert MEASURE in sentence


def test_doctor_tells_it():
    findings = examine()
    assert findings.better
    assert any(line.endswith(findings.better[0]) for line in findings.lines())
