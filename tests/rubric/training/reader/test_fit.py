"""The fit of the reader, on a tiny model: what it learns, keeps, and goes on from."""

from __future__ import annotations

import json
import math
import signal

import numpy as np
import pytest
import torch

from rubric.grading import state_head
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS
from rubric.training.reader import corpus as corpora
from rubric.training.reader import fit as fit_reader
from rubric.training.reader import publish
from rubric.training.reader.checkpoint import Files, Reader, Settings, averaged, load_weights, on_top_of
from rubric.training.reader.fit import Fit
from rubric.training.reader.model import ReaderModel
from rubric.training.reader.tune import tune
from rubric.training.reader.validation import figures_of
from serving.errors import BadInputError
from serving.models import adapter
from tests.rubric.training.reader.tiny import HIDDEN, corpus, model, tokenize

SETTINGS = Settings(
    first=1,
    rank=4,
    rate=5e-3,
    head_rate=2e-2,
    tasks=2,
    steps=12,
    rising=2,
    averaging=0.8,
    validate_every=4,
    validated=24,
    probed=0,
)


def reader(settings: Settings = SETTINGS) -> Reader:
    torch.manual_seed(settings.seed)
    return Reader(ReaderModel(model(), first=settings.first, rank=settings.rank, int8=False), tokenize)


def begun(folder, **changed) -> Fit:
    settings = SETTINGS._replace(**changed)
    return Fit(reader(settings), corpus(), Files(folder), settings)


def curve(folder) -> list[dict]:
    return [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]


def test_the_loss_falls_and_held_out_figures_are_told(tmp_path):
    fit = begun(tmp_path, steps=36, validate_every=12)
    assert fit.run(tell_every=4)
    losses = [line["loss"] for line in curve(tmp_path) if "loss" in line]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.1
    told = [line for line in curve(tmp_path) if "validation" in line]
    assert [line["step"] for line in told] == [12, 24, 36]
    assert set(told[0]["validation"]) == {"excerpts", "statements"}
    assert told[-1]["figure"] < told[0]["figure"]
    assert all(0 <= told[-1]["validation"]["excerpts"][name] <= 1 for name in ("auc", "met denied", "right"))


def test_nothing_held_out_is_fitted_to(tmp_path):
    fit = begun(tmp_path)
    held = {each.text for each in corpus() if each.held_out}
    assert held
    assert not held & {fit._corpus.task(number).question for number in range(300)}
    validated = {task.question for tasks in fit.validation.values() for task in tasks}
    assert validated <= held


def test_a_fit_that_was_stopped_ends_as_if_it_had_not_been(tmp_path):
    whole = begun(tmp_path / "whole")
    whole.run(tell_every=1)
    broken = begun(tmp_path / "broken")
    step = broken._step

    def until_the_seventh():
        if broken.state.step == 6:
            broken.stop()
        return step()

    broken._step = until_the_seventh
    assert not broken.run(tell_every=1)
    assert broken.state.step == 7
    gone_on = begun(tmp_path / "broken")
    assert gone_on.state.step == 7
    assert gone_on.run(tell_every=1)
    one, other = whole.reader.model.learned(), gone_on.reader.model.learned()
    assert all(torch.allclose(one[name], other[name], atol=1e-6) for name in one)
    assert all(torch.allclose(whole.average[name], gone_on.average[name], atol=1e-6) for name in one)
    told = [[{**line, "seconds": 0, "took": 0} for line in curve(tmp_path / name)] for name in ("whole", "broken")]
    assert told[0] == told[1]


def test_what_was_made_after_the_last_checkpoint_is_forgotten(tmp_path):
    fit = begun(tmp_path, steps=6)
    fit.keep()
    fit.run(tell_every=1)
    fit.state.step = 3
    fit.keep()
    begun(tmp_path)
    assert max(line["step"] for line in curve(tmp_path)) == 3


def test_a_pause_keeps_everything_and_waits(tmp_path):
    fit = begun(tmp_path, steps=2, validate_every=2)
    (tmp_path / "PAUSE").touch()
    waits, keep = [], fit.keep
    fit.keep = lambda: waits.append("kept") or keep()

    def wait():
        assert fit.state.step == 0
        assert (tmp_path / "checkpoint.pt").is_file()
        waits.append("waited")
        if len(waits) == 4:
            (tmp_path / "PAUSE").unlink()

    assert fit.run(wait=wait)
    assert waits == ["kept", "waited", "waited", "waited", "kept"]


def test_stopped_in_a_pause_it_ends(tmp_path):
    fit = begun(tmp_path)
    (tmp_path / "PAUSE").touch()
    assert not fit.run(wait=fit.stop)


def test_without_improvement_the_rates_fall_and_the_fit_ends(tmp_path, monkeypatch):
    figures = iter([{"loss": value} for value in (1.0, 0.9, 0.95, 0.95, *[0.9] * 20)])
    monkeypatch.setattr(fit_reader, "figures_of", lambda *_: next(figures))
    monkeypatch.setattr(fit_reader, "validation_tasks", lambda *_: {"excerpts": []})
    fit = begun(tmp_path, steps=1000, validate_every=4, patience=2, falling=0.25)
    assert fit.run()
    told = [line for line in curve(tmp_path) if "validation" in line]
    assert [line["step"] for line in told] == [4, 8, 12, 16, 20]
    assert [line["falling"] for line in told] == [False, False, False, True, True]
    assert fit._optimizer.param_groups[0]["lr"] < SETTINGS.rate / 2
    assert torch.load(tmp_path / "best.pt", weights_only=True)["state"]["step"] == 8


def test_the_rates_fall_at_the_planned_end_too(tmp_path):
    fit = begun(tmp_path, steps=8, falling=0.25)
    fit.run()
    assert fit.state.falls_at == 6
    assert fit.state.step == 8


def test_the_average_is_what_is_kept_and_given_back(tmp_path):
    fit = begun(tmp_path)
    fit.run()
    other = reader()
    assert load_weights(other.model, tmp_path / "latest.pt") == SETTINGS
    kept = other.model.learned()
    own = {name: value.clone() for name, value in fit.reader.model.learned().items()}
    with averaged(fit.reader.model, fit.average):
        found = fit.reader.model.learned()
        assert all(torch.allclose(found[name], kept[name]) for name in kept)
        assert any(not torch.allclose(found[name], own[name]) for name in kept)
    assert all(torch.equal(value, own[name]) for name, value in fit.reader.model.learned().items())


def test_other_settings_of_shape_are_refused(tmp_path):
    begun(tmp_path).keep()
    with pytest.raises(BadInputError, match="rank 4"):
        begun(tmp_path, rank=8)
    with pytest.raises(BadInputError, match="base"):
        begun(tmp_path, base="a1b2")


def test_weights_that_are_none_are_refused(tmp_path):
    (tmp_path / "best.pt").write_bytes(b"nothing")
    with pytest.raises(BadInputError, match="cannot be read"):
        load_weights(reader().model, tmp_path / "best.pt")


def test_the_head_begins_as_a_regression_on_the_states(tmp_path):
    blank, probed = begun(tmp_path / "a"), begun(tmp_path / "b", probed=12)
    tasks = blank.validation["excerpts"]
    first, second = (figures_of(fit.reader, tasks)["loss"] for fit in (blank, probed))
    assert first == pytest.approx(math.log(4), abs=1e-3)
    assert second < first - 0.05


def test_what_is_published_is_what_was_fitted_on_top_of_what_there_was(tmp_path):
    fit, learned = begun(tmp_path), reader()
    fit.run()
    changed, head = tmp_path / "judge.npz", tmp_path / "head.npz"
    name = next(iter(learned.model.changes()))
    before = {
        name: np.outer(np.arange(1, 33), np.ones(32)).astype(np.float32)[: learned.model.changes()[name].shape[0]]
    }
    adapter.save(changed, before)
    (tmp_path / "corpus.jsonl").write_text("what was read")
    version = adapter.version_of(changed)
    publish.publish(learned, [tmp_path / "best.pt"], tmp_path / "corpus.jsonl", changed=changed, head=head)
    found, own = adapter.load(changed), learned.model.changes()
    assert set(found) == set(own)
    assert np.allclose(found[name], before[name] + own[name], atol=0.2)
    assert np.abs(own[name]).max() > 0
    note = json.loads((tmp_path / "judge.json").read_text())
    (told,) = note["fits"]
    assert (note["on_top_of"], told["steps"]) == (version, torch.load(tmp_path / "best.pt")["state"]["step"])
    kept = state_head.load(head)
    assert np.allclose(kept.state.bias, learned.model.head.bias.detach().numpy())
    states = np.random.default_rng(0).normal(size=(3, HIDDEN)).astype(np.float32)
    signals = np.ones((3, len(TEXT_SIGNALS)), np.float32)
    told = kept.probabilities(states, signals, [None, None, np.ones(len(EXAMPLE_SIGNALS), np.float32)])
    assert np.allclose(told, state_head.softmax(kept.state.logits(states)), atol=1e-4)


def test_how_sure_weights_are_does_not_count_in_the_loss(tmp_path):
    fit = begun(tmp_path)
    fit.run()
    tasks = fit.validation["excerpts"]
    before = figures_of(fit.reader, tasks)
    with torch.no_grad():
        fit.reader.model.head.weights.mul_(2)
        fit.reader.model.head.bias.mul_(2)
    after = figures_of(fit.reader, tasks)
    assert after["loss"] == pytest.approx(before["loss"], abs=0.01)
    assert after["auc"] == pytest.approx(before["auc"], abs=0.02)


def test_of_several_fits_the_mean_is_published(tmp_path):
    weights, learned, heads = [], [], []
    for seed in (0, 1):
        fit = begun(tmp_path / str(seed), seed=seed)
        fit.run()
        weights.append(fit.files.latest)
        alone = reader()
        load_weights(alone.model, fit.files.latest)
        learned.append(alone.model.changes())
        heads.append(publish.fitted_head(alone.model))
    changed, head, corpus_file = tmp_path / "judge.npz", tmp_path / "head.npz", tmp_path / "corpus.jsonl"
    name = next(iter(learned[0]))
    adapter.save(changed, {name: np.zeros_like(learned[0][name])})
    corpus_file.write_text("what was read")
    publish.publish(reader(), weights, corpus_file, changed=changed, head=head)
    assert not np.allclose(learned[0][name], learned[1][name], atol=1e-3)
    mean = (learned[0][name] + learned[1][name]) / 2
    assert np.allclose(adapter.load(changed)[name], mean, atol=0.1 * np.abs(mean).max())
    assert np.allclose(state_head.load(head).state.weights, (heads[0].weights + heads[1].weights) / 2, atol=1e-4)
    assert [each["settings"]["seed"] for each in json.loads((tmp_path / "judge.json").read_text())["fits"]] == [0, 1]


def test_a_signal_stops_the_fit_and_it_goes_on(tmp_path):
    corpora.save(corpus(), tmp_path / "corpus.jsonl")

    def stop(done: int, _of: int, _loss: float) -> None:
        if done == 5:
            signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    assert not tune(reader(), tmp_path / "corpus.jsonl", tmp_path, SETTINGS, stop)
    assert signal.getsignal(signal.SIGTERM) is before
    told: list[int] = []
    assert tune(reader(), tmp_path / "corpus.jsonl", tmp_path, SETTINGS, lambda done, *_: told.append(done))
    assert told == list(range(6, 13))


def test_changes_come_on_top_of_those_before():
    own = {"layers.1.some": np.full((2, 3), 0.5, np.float32)}
    before = {"layers.1.some": np.ones((2, 3), np.float32), "layers.0.other": np.ones((2, 2), np.float32)}
    both = on_top_of(before, own)
    assert np.allclose(both["layers.1.some"], 1.5)
    assert np.allclose(both["layers.0.other"], 1.0)
