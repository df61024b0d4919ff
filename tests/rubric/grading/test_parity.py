"""Marks on a card are compared with recorded ones: perturbed states, broken states, other weights, another judge."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rubric.grading import device_head, parity, state_head
from rubric.grading.excerpt_prompts import excerpt_prompt
from rubric.grading.judges import registry
from rubric.grading.judges.registry import JudgeContext
from rubric.grading.parity import MOST_FLIPPED, MOST_MOVED, Parity, Record, check, compared
from rubric.grading.parity_gate import key_of, parity_gate, place, remember, remembered
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS
from rubric.grading.state_head import Head, Linear
from rubric.model import Criterion, Verdict
from rubric.training import parity_record
from rubric.training.fit_state_head import Table
from rubric.training.labeled_answers import Answer
from serving.errors import ProtocolError, ServerStartError
from serving.llm.client import ModelServerClient
from serving.llm.judge_service import JudgeService
from serving.llm.server_state import Endpoint
from serving.llm.vllm_server import VllmServer
from serving.machine import Profile, choose
from serving.models.catalogue import judge_digest
from serving.progress import silent
from tests.serving.gpu.machines import machine

HIDDEN = 64
ANSWERS = [
    Answer(
        question_id=f"q{number}",
        question=f"Question {number}?",
        criteria=tuple(Criterion(id=f"c{each}", text=f"Point {each} of {number}.") for each in range(5)),
        style="plain",
        family="bank",
        text=f"Answer {number} says that the gradient is kept.",
        labels=(Verdict.MET,) * 5,
    )
    for number in range(60)
]
"""300 points."""


def linear(features: int, seed: int) -> Linear:
    draw = np.random.default_rng(seed)
    zero, one = np.zeros(features, np.float32), np.ones(features, np.float32)
    return Linear(zero, one, draw.normal(size=(4, features)).astype(np.float32) / 4, np.zeros(4, np.float32))


HEAD = Head(
    linear(HIDDEN, 1),
    linear(4 + len(TEXT_SIGNALS), 2),
    linear(4 + len(TEXT_SIGNALS) + len(EXAMPLE_SIGNALS), 3),
    1.0,
    "v1",
)


def state_of(prompt: str) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(prompt.encode())).normal(size=HIDDEN).astype(np.float32)


class Card:
    """A server whose states are those of the CPU, changed."""

    def __init__(self, change=lambda state: state) -> None:
        self.change, self.asked = change, 0

    def states(self, prompts: Sequence[str]) -> np.ndarray:
        self.asked += len(prompts)
        return np.stack([self.change(state_of(prompt)) for prompt in prompts])


def samples() -> Table:
    asked = [(answer.question, item.text) for answer in ANSWERS for item in answer.criteria]
    near = [f"that {number} is kept" for number in range(len(asked))]
    excerpts = tuple((words, f"{words}\nwith more") if number % 2 else (words,) for number, words in enumerate(near))
    states = [
        np.mean([state_of(excerpt_prompt(*each, words)) for words in read], axis=0)
        for each, read in zip(asked, excerpts, strict=True)
    ]
    count, draw = len(states), np.random.default_rng(5)
    examples = draw.normal(size=(count, len(EXAMPLE_SIGNALS))).astype(np.float32)
    examples[::3] = np.nan
    return Table(
        np.stack(states),
        excerpts,
        draw.normal(size=(count, len(TEXT_SIGNALS))).astype(np.float32),
        examples,
        np.zeros(count, np.int64),
        np.ones(count, np.float32),
        tuple(answer.question_id for answer in ANSWERS for _ in answer.criteria),
        np.repeat(np.arange(len(ANSWERS)), 5),
        np.ones(count, np.float32),
    )


@pytest.fixture(scope="module")
def record() -> Record:
    return parity_record.recorded(ANSWERS, samples(), HEAD, "judge", {"device": "cpu"})


def noise(size: float):
    draw = np.random.default_rng(9)
    return lambda state: state + (size * draw.normal(size=state.shape)).astype(np.float32)


def test_the_same_states_give_the_same_marks(record: Record) -> None:
    found = check(record, HEAD, "judge", Card())
    assert (found.prompts, found.flipped, found.refusal) == (300, 0.0, "")
    assert found.moved < 10**-parity.DIGITS * 2


@pytest.mark.parametrize(("size", "refused"), [(0.001, False), (0.1, True), (1.0, True)])
def test_states_that_differ_are_refused_where_marks_differ(record: Record, size: float, refused: bool) -> None:
    found = check(record, HEAD, "judge", Card(noise(size)))
    assert bool(found.refusal) is refused
    if refused:
        assert found.moved > MOST_MOVED or found.flipped > MOST_FLIPPED
        assert f"of {found.prompts} prompts" in found.refusal


def test_the_bounds_are_those_that_are_told() -> None:
    even = np.tile(np.float32([0.6, 0.0, 0.4, 0.0]), (300, 1))

    def with_credit(credited: dict[int, float]) -> np.ndarray:
        changed = even.copy()
        for row, value in credited.items():
            changed[row] = (value, 0, 1 - value, 0)
        return changed

    assert not compared(even, with_credit({0: 0.4})).refusal, "one of 300 may change sides"
    assert "0.7% change sides" in compared(even, with_credit({0: 0.4, 1: 0.4})).refusal
    assert not compared(even, with_credit(dict.fromkeys(range(300), 0.609))).refusal
    assert "up to 0.011" in compared(even, with_credit(dict.fromkeys(range(300), 0.611))).refusal
    assert not compared(even, with_credit(dict.fromkeys(range(2), 0.9))).refusal, "those beyond 99 % do not count"


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_states_that_overflow_in_half_precision_are_refused(record: Record, broken: float) -> None:
    """As the client does with what a server gives, see ``read_states``."""

    class Overflows(Card):
        def states(self, prompts: Sequence[str]) -> np.ndarray:
            found = super().states(prompts) * broken
            if not np.isfinite(found).all():
                raise ProtocolError("The model server gave a broken state.")
            return found

    refusal = check(record, HEAD, "judge", Overflows()).refusal
    assert "no states that can be used here: The model server gave a broken state." in refusal


def test_states_of_another_model_and_weights_that_were_not_recorded_are_refused(record: Record) -> None:
    assert "another length" in check(record, HEAD, "judge", Card(lambda state: state[:8])).refusal
    assert "other weights" in check(record, HEAD._replace(version="v2"), "judge", Card()).refusal
    assert "other weights" in check(record, HEAD, "another", Card()).refusal


def test_a_record_is_small_and_the_same_each_time(record: Record, tmp_path: Path) -> None:
    first, second = tmp_path / "a.gz", tmp_path / "b.gz"
    parity_record.save(record, first)
    parity_record.save(record, second)
    assert first.read_bytes() == second.read_bytes()
    assert parity.load(first) == record


def test_answers_are_chosen_evenly() -> None:
    assert len(parity_record.chosen(ANSWERS, 100)) == 21
    assert parity_record.chosen(ANSWERS, 10**6) == ANSWERS
    assert parity_record.chosen(ANSWERS, 100)[-1] == ANSWERS[-1]


def test_the_stored_record_is_of_the_weights_and_the_model_that_there_are() -> None:
    stored = parity.load()
    assert stored.head == state_head.load().version, "`make parity` records it anew"
    assert stored.judge == judge_digest()
    assert sum(len(each.criteria) for each in stored.answers) >= parity_record.PROMPTS
    assert stored.made_on["device"] == "cpu"
    assert (Path(parity.PARITY).stat().st_size) < 150_000
    credited = parity.credit(np.array([row for each in stored.answers for row in each.chances]))
    assert 0.1 < np.mean(credited >= 0.5) < 0.9, "both sides occur"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, home: Path, record: Record, tmp_path: Path):
    """Makes the judge's service on a card, with a server that is up and gives changed states."""
    monkeypatch.setenv("INTERVIEWER_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(state_head, "load", lambda path=None: HEAD)
    monkeypatch.setattr(parity, "load", lambda path=None: record.model_copy(update={"judge": judge_digest()}))

    def started(card: Card, name: str = "A100") -> JudgeService:
        found = machine(name)
        made = JudgeService(found, choose(found))

        def up(server: VllmServer, progress) -> None:
            server._endpoint = Endpoint(url="http://127.0.0.1:1", key="k", model="judge")

        monkeypatch.setattr(VllmServer, "start", up)
        monkeypatch.setattr(ModelServerClient, "states", lambda self, prompts: card.states(prompts))
        made.check = parity_gate(made)
        return made

    return started


def test_a_card_that_agrees_serves_and_is_asked_once(service) -> None:
    card = Card(noise(0.001))
    first = service(card)
    assert first.endpoint is None, "nobody is served before"
    first.start()
    assert first.endpoint is not None
    again = service(card)
    again.start()
    assert again.endpoint is not None
    assert card.asked == sum(map(len, samples().excerpts))
    service(card, "H200").start()
    assert card.asked == 2 * sum(map(len, samples().excerpts)), "another card is asked anew"


def test_a_card_that_disagrees_serves_nobody_and_says_what_to_do(service) -> None:
    card = Card(noise(1.0))
    refused = service(card)
    for _ in range(2):
        with pytest.raises(ServerStartError, match="INTERVIEWER_GPU=no make run"):
            refused.start()
        assert refused.endpoint is None
    assert "differ here" in refused._why_not()
    with pytest.raises(ServerStartError):
        service(card).start()
    assert card.asked == sum(map(len, samples().excerpts))


def test_what_marks_depend_on_names_the_comparison(home: Path) -> None:
    profiles = [choose(machine(name)) for name in ("A100", "H200", "T4", "B200")]
    eager = choose(machine("A100", compiles=False))
    assert len({key_of(each, "v1") for each in (*profiles, eager)}) == 5
    assert key_of(profiles[0], "v1") != key_of(profiles[0], "v2")


def test_a_broken_memory_is_asked_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INTERVIEWER_MODELS", str(tmp_path))
    for text in ("{", "[]", json.dumps({"k": {"prompts": "many"}})):
        place().write_text(text)
        assert remembered("k") is None
        remember("k", Parity(prompts=3))
        assert remembered("k") == Parity(prompts=3)


def test_weights_fitted_on_a_card_replace_nobody_elses(home: Path) -> None:
    on_card, on_cpu = choose(machine("A100")), choose(machine("none", build="cpu"))
    assert device_head.target_for(on_cpu) == device_head.STATE_HEAD
    assert device_head.target_for(on_card).parent == home / "weights"
    others = [device_head.target_for(choose(machine(name))) for name in ("H200", "T4", "B200")]
    torch_alone = [device_head.target_for(each, "torch") for each in (on_card, on_cpu)]
    assert len({*others, *torch_alone, device_head.target_for(on_card), device_head.STATE_HEAD}) == 7


def test_weights_fitted_on_a_card_are_used_there_and_need_no_comparison(home: Path) -> None:
    profile = choose(machine("A100"))
    state_head.save(device_head.target_for(profile), state_head.load()._replace(spread=7.0))
    card = JudgeService(machine("A100"), profile)
    assert registry.embedded(JudgeContext(service=card, measured=home)).spread == 7.0
    asked = Card()
    assert parity_gate(card)(asked, silent) == ""
    assert asked.asked == 0
    other = choose(machine("H200"))
    assert device_head.head_for(other).spread != 7.0
    cpu = Profile(name="cpu embedded", device="cpu", reasons=())
    assert device_head.head_for(cpu).spread != 7.0
    card.close()
