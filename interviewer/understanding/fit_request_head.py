"""Fits ``request_head``: ``python -m interviewer.understanding.fit_request_head`` (needs the encoder; a minute).

Softmax regression on the sentence encoder's vectors and on runs of words. Requests are the labeled wordings
beside this module; answers are the labeled ones among them and statements of every second question of the bank, the
others being left to be measured on. The head for single sentences is fitted in the same way to
``sentence-wordings.jsonl`` and to what the wordings of requests say of such sentences. The one that reads the judge's
states too is fitted to the same ones by ``python -m interviewer.cli.fit_sentence_head``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from interviewer.text import sentences
from interviewer.understanding.closing_request import Closing
from interviewer.understanding.intent import Intent
from interviewer.understanding.request_head import (
    LONGEST,
    NOTHING,
    SENTENCES,
    STATE_WEIGHT,
    TURNS,
    WEIGHTS,
    Fitted,
    features,
    plain,
)
from interviewer.understanding.whole_turns.wordings import whole_turns
from knowledge.bank.parser import load_bank
from rubric.fitted_weights import ADAPTER
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue

WORDINGS = Path(__file__).parent / "weights" / "request-wordings.jsonl"
_STEPS, _SOFTNESS = 300, 30.0


_STATEMENTS = 1
"""Statements of a criterion that are taken, of each sort."""


def statements(half: int) -> list[str]:
    """Short statements of every second question of the bank, which all are answers.

    Args:
        half: 0 for those that are fitted to, 1 for those that are left out.

    """
    return [
        text
        for place, question in enumerate(sorted(load_bank(), key=lambda each: each.id))
        if place % 2 == half and question.rubric is not None
        for criterion in question.rubric.criteria
        for kind in (criterion.examples.met, criterion.examples.contradicted, criterion.examples.near)
        for text in kind[:_STATEMENTS]
        if len(text.split()) <= LONGEST
    ]


_Floats = npt.NDArray[np.float64]


def fit(read: _Floats, labels: npt.NDArray[np.int64], classes: int) -> tuple[_Floats, _Floats]:
    """Weights [features, classes] and bias [classes] of a softmax regression with a quadratic penalty."""
    width = read.shape[1]
    wanted = np.eye(classes)[labels]

    def loss(flat: _Floats) -> tuple[float, _Floats]:
        weights, bias = flat[: width * classes].reshape(width, classes), flat[width * classes :]
        scores = read @ weights + bias
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        off = np.exp(logs) - wanted
        slope = np.concatenate([(read.T @ off + weights / _SOFTNESS).ravel(), off.sum(axis=0)])
        return float(-(logs * wanted).sum() + (weights**2).sum() / (2 * _SOFTNESS)), slope

    found = minimize(loss, np.zeros((width + 1) * classes), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return found.x[: width * classes].reshape(width, classes), found.x[width * classes :]


SENTENCE_WORDINGS = Path(__file__).parent / "weights" / "sentence-wordings.jsonl"
_BESIDE = {
    Intent.HINT: Closing.HELP,
    Intent.SKIP: Closing.DONE,
    Intent.LATER: Closing.LATER,
    Intent.WAIT: Closing.FLOOR,
    Intent.THINKING: Closing.FLOOR,
    Intent.CHECK: Closing.CHECK,
    Intent.DONT_KNOW: Closing.REMARK,
    Intent.SAID_ALREADY: Closing.REMARK,
}
"""What a wording of a request is where it stands as a sentence beside an answer."""


def beside_answers() -> list[tuple[str, str]]:
    """Sentences that stand beside answers, with what they are; of a wording of several, its last one too."""
    rows = [json.loads(line) for line in SENTENCE_WORDINGS.read_text(encoding="utf-8").splitlines()]
    pairs = [(row["text"], row["kind"]) for row in rows]
    pairs += [(parts[-1], kind) for text, kind in pairs if len(parts := sentences(text)) > 1]
    requests = [json.loads(line) for line in WORDINGS.read_text(encoding="utf-8").splitlines()]
    known = [(row["text"], Intent(row["intent"])) for row in requests]
    pairs += [(text, _BESIDE[intent].value) for text, intent in known if intent in _BESIDE]
    return pairs + [(text, NOTHING) for text, intent in known if intent is Intent.ANSWER]


def main() -> None:
    """Fit and store both."""
    rows = [json.loads(line) for line in WORDINGS.read_text(encoding="utf-8").splitlines()]
    answers = statements(0)
    encoder = SentenceTransformerEmbedder(catalogue.embedder_folder(), ADAPTER)
    requests = [(row["text"], str(row["intent"])) for row in rows]
    _store(WEIGHTS, encoder, requests + [(text, Intent.ANSWER.value) for text in answers])
    told = single_sentences()
    _store(SENTENCES, encoder, told)
    turns = turns_and_answers()
    _store(TURNS, encoder, turns)
    sys.stderr.write(f"{len(rows)} wordings, {len(told)} sentences, and {len(turns)} turns fitted.\n")


_EVERY = 2
"""Every how manieth statement is fitted to beside sentences."""


def single_sentences() -> list[tuple[str, str]]:
    """All that the heads for single sentences are fitted to, with what each is."""
    return beside_answers() + [(text, NOTHING) for text in statements(0)[::_EVERY]]


def turns_and_answers() -> list[tuple[str, str]]:
    """All that the heads for whole turns are fitted to, with what each is."""
    return whole_turns() + [(text, Intent.ANSWER.value) for text in statements(0)]


def _store(path: Path, encoder: SentenceTransformerEmbedder, texts: list[tuple[str, str]]) -> None:
    said = [plain(text) for text, _ in texts]
    _write(path, _fitted(features(said, encoder.embed(said)), [name for _, name in texts], encoder.name))


def _fitted(read: FloatArray, kinds: Sequence[str], encoder: str, layers: str = "") -> Fitted:
    names = sorted(set(kinds))
    weights, bias = fit(read.astype(np.float64), np.array([names.index(kind) for kind in kinds]), len(names))
    return Fitted(weights.astype(np.float32), bias.astype(np.float32), tuple(names), encoder, layers)


def fit_standardized(
    path: Path, states: FloatArray, read: FloatArray, kinds: Sequence[str], *, encoder: str, layers: str
) -> None:
    """Fit a head to states beside what the encoder reads, and store it for states as they come.

    Args:
        path: where.
        states: of the judge, [n, hidden].
        read: ``features`` of the same texts, [n, dim + buckets].
        kinds: what each text is.
        encoder: the name of the one that read them.
        layers: version of the judge's fitted layers.

    """
    mean, scale = states.mean(axis=0), states.std(axis=0) + 1e-6
    scale *= np.sqrt(states.shape[1]) / STATE_WEIGHT
    head = _fitted(np.concatenate([(states - mean) / scale, read], axis=1), kinds, encoder, layers)
    of_states = head.weights[: states.shape[1]] / scale[:, None]
    weights = np.concatenate([of_states, head.weights[states.shape[1] :]])
    _write(path, head._replace(weights=weights, bias=head.bias - mean @ of_states))


def _write(path: Path, head: Fitted) -> None:
    # States as they come are of very different sizes.
    kind = np.float32 if head.adapter else np.float16
    np.savez_compressed(
        path,
        weights=head.weights.astype(kind),
        bias=head.bias,
        intents=np.array(head.names, dtype=str),
        encoder=np.array(head.encoder),
        adapter=np.array(head.adapter),
    )


if __name__ == "__main__":
    main()
