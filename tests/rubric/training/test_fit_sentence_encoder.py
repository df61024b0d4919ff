"""Fitting the sentence encoder: what a step compares, and that opposites move apart."""

import itertools
import json

import numpy as np
import pytest

from knowledge.bank.parser import load_bank
from rubric.fitted_weights import ADAPTER
from rubric.model import Criterion, Examples
from rubric.training import fit_sentence_encoder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models.adapter import version_of
from serving.models.catalogue import ensure_embedder

EXAMPLES = Examples(met=("leaves keep it", "a leaf holds on to it"), contradicted=("all keep it",), near=("it flows",))
TOLD = Criterion(id="c1", text="Only leaves keep their gradient.", examples=EXAMPLES)
BARE = Criterion(id="c2", text="retain_grad keeps it for others.")


def bank_groups():
    return fit_sentence_encoder.groups([(held.id, held.rubric.criteria) for held in load_bank() if held.rubric])


def test_criteria_without_statements_on_both_sides_are_left_out():
    (group,) = fit_sentence_encoder.groups([("q", (TOLD, BARE))])
    assert group.met == ("Only leaves keep their gradient.", "leaves keep it", "a leaf holds on to it")


def test_a_batch_sets_what_says_the_same_against_what_does_not():
    data = bank_groups()
    batch = next(fit_sentence_encoder.batches(data, seed=1))
    of = {text: number for number, group in enumerate(data) for text in group.met}
    wrong = {text: number for number, group in enumerate(data) for text in (*group.contradicted, *group.near)}
    assert len(batch.anchors) == len(batch.positives) == fit_sentence_encoder.BATCH
    assert all(a != p and of[a] == of[p] for a, p in zip(batch.anchors, batch.positives, strict=True))
    each = len(batch.negatives) // fit_sentence_encoder.BATCH
    for number, anchor in enumerate(batch.anchors):
        assert all(wrong[text] == of[anchor] for text in batch.negatives[number * each : (number + 1) * each])
    assert [row[n] for n, row in enumerate(batch.same)] == [True] * fit_sentence_encoder.BATCH


def test_the_same_seed_gives_the_same_batches():
    data = bank_groups()
    one, other = (list(itertools.islice(fit_sentence_encoder.batches(data, seed=3), 4)) for _ in range(2))
    assert one == other
    assert one != list(itertools.islice(fit_sentence_encoder.batches(data, seed=4), 4))


@pytest.mark.by_number("rubric/training")
def test_fitting_draws_what_says_the_same_together(tmp_path, monkeypatch):
    monkeypatch.setattr(fit_sentence_encoder, "STEPS", 6)
    monkeypatch.setattr(fit_sentence_encoder, "BATCH", 4)
    monkeypatch.setattr(fit_sentence_encoder, "LEARNING_RATE", 3e-4)
    data = bank_groups()[:8]
    folder, target = ensure_embedder(), tmp_path / "adapter.npz"
    told = []
    fit_sentence_encoder.fit(folder, data, target, lambda done, of, loss: told.append((done, of, loss)))
    assert [done for done, _, _ in told] == [1, 2, 3, 4, 5, 6]

    def margin(embedder):
        differences = []
        for group in data:
            rows = embedder.embed([group.met[0], *group.met[1:], *group.contradicted])
            same, opposed = rows[0] @ rows[1 : len(group.met)].T, rows[0] @ rows[len(group.met) :].T
            differences.append(same.mean() - opposed.mean())
        return np.mean(differences)

    assert margin(SentenceTransformerEmbedder(folder, target)) > margin(SentenceTransformerEmbedder(folder)) + 0.01


def test_the_committed_encoder_tells_statements_from_their_opposites():
    def margin(encoder: SentenceTransformerEmbedder) -> float:
        met, opposed = [], []
        for group in bank_groups()[::40]:
            rows = encoder.embed([group.met[0], *group.met[1:], *group.contradicted])
            met += list(rows[0] @ rows[1 : len(group.met)].T)
            opposed += list(rows[0] @ rows[len(group.met) :].T)
        return float(np.mean(met) - np.mean(opposed))

    folder = ensure_embedder()
    fitted, published = (
        margin(SentenceTransformerEmbedder(folder, ADAPTER)),
        margin(SentenceTransformerEmbedder(folder)),
    )
    print(fitted, published)
    assert fitted > 0.12
    assert fitted > published + 0.1


def test_the_committed_encoder_comes_with_a_note_of_what_it_was_fitted_to():
    note = json.loads(ADAPTER.with_suffix(".json").read_text())
    assert note["weights_sha256"].startswith(version_of(ADAPTER))
    assert len(note["statements_sha256"]) == 64


def test_the_digest_of_statements_changes_with_any_of_them():
    group = fit_sentence_encoder.Group("q", ("one", "two"), ("no",), ())
    assert fit_sentence_encoder.statements_digest([group]) != fit_sentence_encoder.statements_digest(
        [group._replace(near=("so so",))]
    )
