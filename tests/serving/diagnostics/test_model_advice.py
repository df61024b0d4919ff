"""What is said of better models follows from the machine, and claims no measurement that was not made."""

import pytest

from serving.diagnostics.doctor import Diagnosis, examine
from serving.diagnostics.model_advice import MEASURE, SIZES, better
from serving.machine import choose
from tests.serving.gpu.machines import machine


def said(name, url=None):
    found = machine(name)
    return " ".join(better(found, choose(found, url)))


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("H200", "72 billion parameters in 4 bits"),
        ("two cards", "32 billion parameters in 4 bits"),
        ("4090", "14 billion parameters in 4 bits"),
        ("3060", "8 billion parameters in 4 bits"),
        ("memory [N/A]", "no model much larger"),
        ("busy", "no model much larger"),
    ],
)
def test_what_the_judge_leaves_of_the_card_decides_what_fits(name, fits):
    assert fits in said(name)


def test_what_fits_does_so_beside_the_judge():
    found = machine("3060")
    profile = choose(found)
    left = profile.gpu.free - profile.plan.memory
    best = next(size for size in SIZES if size.memory <= left)
    assert str(best) in said("3060")
    assert any(left < size.memory <= profile.gpu.free for size in SIZES), "without the judge a larger one would fit"
    assert f"{left / 1e9:.0f} GB that NVIDIA GeForce RTX 3060 has beside the judge" in said("3060")
    assert "We have measured none" in said("3060")


def test_without_a_card_the_time_is_estimated_and_said_to_be_so():
    assert "estimated, not measured" in said("none")


@pytest.mark.parametrize("sentence", [said("none"), said("4090"), said("none", url="http://127.0.0.1:1")])
def test_the_way_to_measure_is_named(sentence):
    assert MEASURE in sentence


def test_doctor_tells_it():
    findings = examine()
    assert findings.better
    assert any(line.endswith(findings.better[0]) for line in findings.lines())


@pytest.mark.parametrize("name", ["memory [N/A]", "busy", "driver too old", "H100 in slices"])
def test_doctor_tells_of_every_card_and_why_it_is_not_used(name):
    found = machine(name)
    profile = choose(found)
    lines = Diagnosis(machine=found, profile=profile, packages={}, items=(), home="/home").lines()
    assert any(str(found.gpus[0]) in line for line in lines)
    assert all(any(reason in line for line in lines) for reason in profile.reasons)
