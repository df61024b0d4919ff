"""Fitting the upper layers of the judge's model, on a tiny one made here."""

from __future__ import annotations

import itertools
import json
import zlib

import numpy as np
import pytest
import torch
from transformers import Qwen2Config, Qwen2Model

from rubric.grading.prompts import judge_prompt
from rubric.grading.state_head import CLASSES, Linear
from rubric.model import Verdict
from rubric.training import fit_judge_layers
from rubric.training.fit_judge_layers import PromptSampler
from rubric.training.labeled_answers import Answer
from rubric.training.sequence_packing import pack, states
from serving.models import adapter
from tests.rubric.training.test_synthetic_answers import criteria

HIDDEN, VOCABULARY = 32, 512


def tokenize(text: str) -> list[int]:
    """A token a word."""
    return [zlib.crc32(word.encode()) % VOCABULARY for word in text.split()]


def tiny():
    """A model of random weights, of one layer more than learn."""
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=48,
        num_hidden_layers=fit_judge_layers.LAYERS + 1,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
    )
    return Qwen2Model(config).requires_grad_(False).eval()


def answer(text: str, label: Verdict) -> Answer:
    """A labeled one."""
    asked = tuple(criteria()[:2])
    return Answer(
        question_id="q",
        question="Why?",
        criteria=asked,
        style="plain",
        family="bank",
        text=text,
        labels=(label,) * len(asked),
    )


def drawer(*labeled: Answer) -> PromptSampler:
    """Two questions."""
    return PromptSampler([("Why?", criteria()), ("How?", criteria()[:2]), ("When?", [])], labeled, 3)


def head() -> Linear:
    """One that knows nothing."""
    return Linear(
        np.zeros(HIDDEN, np.float32),
        np.ones(HIDDEN, np.float32),
        np.zeros((4, HIDDEN), np.float32),
        np.zeros(4, np.float32),
    )


def test_packed_prompts_have_the_states_that_they_have_alone():
    model = tiny()
    given = [("Since it is.", ["It is.", "It was once."]), ("Sincerely not", ["It is."]), ("", ["It was once."])]
    packed = pack("Why?", given, tokenize)
    together = states(model, packed)
    alone = [
        model(torch.tensor([tokenize(judge_prompt("Why?", text, item))])).last_hidden_state[0, -1]
        for text, items in given
        for item in items
    ]
    assert together.shape == (4, HIDDEN)
    assert torch.allclose(together, torch.stack(alone), atol=1e-4)
    assert not torch.allclose(together[0], together[1], atol=1e-2)
    assert packed.tokens.shape[1] < 0.6 * sum(
        len(tokenize(judge_prompt("Why?", t, i))) for t, each in given for i in each
    )


def test_questions_come_once_before_any_comes_again_and_labeled_answers_among_them(monkeypatch):
    tasks = list(itertools.chain.from_iterable(itertools.islice(drawer().batches(), 10)))
    assert {task.question for task in tasks[:2]} == {"Why?", "How?"}
    assert all(len(task.labels) == sum(len(asked) for _, asked in task.given) for task in tasks)
    monkeypatch.setattr(fit_judge_layers, "LABELED", 0.5)
    batches = drawer(answer("It is.", Verdict.PARTIAL)).batches()
    mixed = list(itertools.chain.from_iterable(itertools.islice(batches, 20)))
    told = [task for task in mixed if task.given[0][0] == "It is."]
    assert 10 < len(told) < 30
    assert all(set(task.labels) == {CLASSES.index(Verdict.PARTIAL)} for task in told)


def fitted(target, monkeypatch, *, steps=12, stop=None, **options):
    """A tiny model fitted, and the losses told; broken off after so many steps."""
    monkeypatch.setattr(fit_judge_layers, "STEPS", steps)
    monkeypatch.setattr(fit_judge_layers, "LEARNING_RATE", 3e-3)
    monkeypatch.setattr(fit_judge_layers, "HEAD_RATE", 1e-2)
    losses = []

    def told(done, of, loss):
        losses.append((done, loss))
        if done == stop:
            raise KeyboardInterrupt

    model = tiny()
    fit_judge_layers.fit(model, tokenize, drawer(), target, told, begin=head(), **options)
    return model, losses


def test_what_is_learned_is_what_is_stored(tmp_path, monkeypatch):
    target = tmp_path / "judge.npz"
    model, losses = fitted(target, monkeypatch, steps=40)
    assert np.mean([loss for _, loss in losses[-8:]]) < np.mean([loss for _, loss in losses[:8]]) - 0.05
    changes = adapter.load(target)
    assert {name.split(".")[1] for name in changes} == {str(number) for number in range(1, fit_judge_layers.LAYERS + 1)}
    assert len(changes) == fit_judge_layers.LAYERS * 7
    plain = tiny()
    adapter.add(plain, changes)
    packed = pack("Why?", [("It is.", ["It is.", "It was."])], tokenize)
    expected = states(model, packed)
    assert torch.allclose(states(plain, packed), expected, atol=0.05)
    assert not torch.allclose(states(tiny(), packed), expected, atol=0.2)


def test_steps_layers_and_rank_can_be_chosen(tmp_path, monkeypatch):
    target = tmp_path / "judge.npz"
    _, losses = fitted(target, monkeypatch, steps=6, layers=2, rank=3)
    assert len(losses) == 6
    changes = adapter.load(target)
    top = fit_judge_layers.LAYERS
    assert {name.split(".")[1] for name in changes} == {str(top - 1), str(top)}
    ranks = [np.linalg.matrix_rank(change, tol=1e-3 * np.linalg.norm(change, 2)) for change in changes.values()]
    assert max(ranks) == 3
    fit_judge_layers.fit(tiny(), tokenize, drawer(), target, lambda *told: losses.append(told), begin=head(), steps=1)
    assert len(losses) == 7


def test_a_seed_means_the_same_whatever_the_device(tmp_path, monkeypatch):
    """What is drawn is drawn on the CPU: no generator of a card is asked."""
    monkeypatch.setattr(torch, "randn", guarded(torch.randn))
    fitted(tmp_path / "judge.npz", monkeypatch, steps=1)


def guarded(draw):
    """A drawing of random numbers that takes no device."""

    def drawn(*shape, **named):
        assert "device" not in named
        return draw(*shape, **named)

    return drawn


def test_a_fit_that_was_broken_off_ends_as_if_it_had_not_been(tmp_path, monkeypatch):
    monkeypatch.setattr("rubric.training.optimizer.KEPT_EVERY_S", 0.0)
    fitted(tmp_path / "whole.npz", monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        fitted(tmp_path / "broken.npz", monkeypatch, stop=7)
    assert not (tmp_path / "broken.npz").exists()
    _, losses = fitted(tmp_path / "broken.npz", monkeypatch)
    assert [done for done, _ in losses] == [8, 9, 10, 11, 12]
    one, other = adapter.load(tmp_path / "whole.npz"), adapter.load(tmp_path / "broken.npz")
    assert all(np.allclose(one[name], other[name], atol=1e-6) for name in one)
    assert not list(tmp_path.glob("*.partial"))


def test_the_note_tells_what_it_was_fitted_to(tmp_path):
    target, answers = tmp_path / "judge.npz", tmp_path / "answers.jsonl"
    target.write_bytes(b"x")
    answers.write_text("{}")
    fit_judge_layers.save_note(drawer(), answers, target, {"device": "cpu"}, steps=7)
    noted = json.loads(target.with_suffix(".json").read_text())
    assert (noted["steps"], noted["made_on"]) == (7, {"device": "cpu"})
    assert json.loads(target.with_suffix(".json").read_text())["questions"] == 2
