"""What a process imposes on itself, as data."""

from __future__ import annotations

import base64
import json
import platform

import pytest

from serving.sandbox.restrictions import MEMORY, reading_only, restrictions
from serving.sandbox.seccomp import filter_program, without_processes, without_shared_memory, without_writing

FILTERS = (filter_program, without_processes, without_shared_memory, without_writing)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_filters_are_whole_steps_that_end_in_a_verdict(machine: str) -> None:
    for program in (*(make(machine) for make in FILTERS), filter_program(machine, alone=True)):
        assert program
        assert len(program) % 8 == 0
        assert program[-8:-6] == b"\x06\x00", "the last step returns"
        # A jump counts steps from the next one on, and leads to none behind the end.
        steps = [program[at : at + 8] for at in range(0, len(program), 8)]
        jumps = [(n, step[2], step[3]) for n, step in enumerate(steps) if step[0] in {0x15, 0x35, 0x45}]
        assert all(n + 1 + max(yes, no) < len(steps) for n, yes, no in jumps)


def test_where_no_filter_is_known_limits_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert restrictions()["filters"] == []
    assert reading_only(2**30, 5)["space"] == 2**30


def test_processes_share_the_memory_and_are_allowed_by_number_only() -> None:
    alone, several = restrictions(), restrictions(3)
    assert (alone["memory"], several["memory"]) == (MEMORY, MEMORY // 4)
    forbidden = base64.b64encode(without_processes()).decode()
    assert forbidden in alone["filters"]
    assert forbidden not in several["filters"]
    json.dumps([alone, several, restrictions(gpu=True)])


def test_cuda_maps_and_shares_what_it_needs() -> None:
    gpu = restrictions(gpu=True)
    assert gpu["addresses"] is None
    assert base64.b64encode(without_shared_memory()).decode() not in gpu["filters"]
    assert gpu["memory"] == MEMORY
