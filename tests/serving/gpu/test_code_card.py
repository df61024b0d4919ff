"""On which card code runs: never on the judge's own unless asked for, and not where the judge suffers from it."""

from __future__ import annotations

import pytest

from serving.diagnostics import code_on_card
from serving.diagnostics.code_on_card import access_for_code
from serving.gpu.code_card import FEWEST, WISH, Pace, code_card
from serving.machine import ANSWERS_ON_CPU, choose, jobs_at_once
from serving.sandbox.gpu_access import MEMORY
from serving.sandbox.gpu_probe import GpuTrial
from tests.serving.gpu.machines import machine


def chosen(name: str, *, asked: bool = False) -> tuple[str, int]:
    found = machine(name)
    profile = choose(found)
    taken = profile.plan.memory if profile.plan else 0
    card, memory = code_card(found.gpus, profile.gpu, taken, asked=asked, most=MEMORY)
    return (card.uuid if card else "", memory)


@pytest.mark.parametrize("name", ["8 GB laptop", "T4", "4090", "A100", "H200", "B200"])
def test_the_judges_own_card_runs_no_code_unless_asked(name: str) -> None:
    assert chosen(name) == ("", 0)


def test_asked_for_code_gets_what_the_judge_leaves() -> None:
    assert chosen("A100", asked=True) == ("GPU-0", MEMORY)
    assert chosen("8 GB laptop", asked=True) == ("", 0), "no room beside the judge"


def test_another_card_or_slice_runs_code_anyway() -> None:
    assert chosen("two cards") == ("GPU-0", 3000 * 1024 * 1024)
    assert chosen("H100 in slices") == ("MIG-a1", MEMORY)


def test_a_card_that_is_no_good_runs_no_code() -> None:
    assert chosen("driver too old") == chosen("none") == chosen("busy") == ("", 0)


def test_code_is_tried_in_the_sandbox_before_it_is_said_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WISH, raising=False)
    trials = {"GPU-0": GpuTrial(cards=1)}
    monkeypatch.setattr(code_on_card, "tried", lambda access: trials[access.visible])
    found = machine("two cards")
    assert access_for_code(found, choose(found))[0].visible == "GPU-0"
    trials["GPU-0"] = GpuTrial(step="cuInit", code=304)
    access, why = access_for_code(found, choose(found))
    assert access is None
    assert "cuInit fails in the sandbox" in why


def test_why_code_stays_on_the_processor_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WISH, raising=False)

    def why(name: str, build: str = "cuda") -> str:
        found = machine(name, build=build)
        access, told = access_for_code(found, choose(found))
        assert access is None
        return told

    assert f"{WISH}=yes" in why("A100")
    assert why("none") == ""
    assert "the installed packages use no card" in why("A100", build="cpu")
    assert "no card can be used" in why("driver too old")
    monkeypatch.setenv(WISH, "yes")
    assert "no room for it beside the judge" in why("8 GB laptop")


def test_code_leaves_the_card_where_the_judge_becomes_much_slower() -> None:
    pace = Pace()
    assert not any(pace.note(0.1, beside_code=False) for _ in range(FEWEST))
    assert not any(pace.note(0.2, beside_code=True) for _ in range(FEWEST))
    slow = Pace()
    assert not any(slow.note(0.1, beside_code=False) for _ in range(FEWEST))
    assert [slow.note(0.5, beside_code=True) for _ in range(FEWEST)] == [False] * (FEWEST - 1) + [True]


def test_what_is_done_at_once_follows_from_the_profile() -> None:
    many, few = machine("A100"), machine("none")
    assert (choose(many).answers_at_once, choose(few).answers_at_once) == (64, ANSWERS_ON_CPU)
    assert choose(many).prompts_at_once > 1 == choose(few).prompts_at_once
    cores = many.model_copy(update={"cores": tuple(range(16))})
    assert (jobs_at_once(cores, choose(cores)), jobs_at_once(cores, choose(few))) == (8, 1)
