"""Six commits in a row run every test that is costly by number."""

from __future__ import annotations

import pytest

from tests import sampling

NAMES = [f"test_each[{number}]" for number in range(60)]


def test_six_commits_in_a_row_run_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "changed", frozenset)
    runs = []
    for part in range(sampling.PARTS):
        monkeypatch.setattr(sampling, "this_part", lambda part=part: part)
        runs.append({name for name in NAMES if sampling.is_run(name, ("knowledge/bank",))})
    assert set.union(*runs) == set(NAMES)
    assert all(3 < len(run) < 25 for run in runs)


def test_what_the_change_touches_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "this_part", lambda: -1)
    monkeypatch.setattr(sampling, "changed", lambda: frozenset({"knowledge/bank/autograd.md"}))
    assert sampling.is_run("any", ("knowledge/bank/autograd.md",))
    assert sampling.is_run("any", ("knowledge/bank",))
    assert not sampling.is_run("any", ("knowledge/bank/memory.md",))
    assert not sampling.is_run("any", ("knowledge/ban",))
