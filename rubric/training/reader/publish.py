"""Puts fitted weights into the project.

What the layers learned is added to the change that the judge's adapter holds already, and the head is written beside
the weights that weigh. Those are of other logits then, so ``make calibrate`` has to follow.

Of several fits that began alike and drew other examples, the mean of what they learned is taken: it judges better than
any of them and is no slower (model soups, Wortsman et al. 2022).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from rubric.fitted_weights import STATE_HEAD
from rubric.grading import state_head
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS
from rubric.grading.state_head import CLASSES, Head, Linear
from rubric.training.made_on import made_with_torch
from rubric.training.reader.checkpoint import Reader, load_weights, on_top_of
from rubric.training.reader.model import ReaderModel
from serving.arrays import FloatArray
from serving.models import adapter, catalogue


def fitted_head(model: ReaderModel) -> Linear:
    """What the head has learned."""
    found = model.head.state_dict()
    return Linear(**{name: found[name].detach().cpu().numpy().copy() for name in Linear._fields})


def only_the_state(signals: int) -> Linear:
    """Takes what the state says and no signal, until it is fitted.

    Args:
        signals: how many there are.

    """
    classes = len(CLASSES)
    weights = np.eye(classes, classes + signals, dtype=np.float32)
    features = np.zeros(classes + signals, np.float32)
    return Linear(features, np.ones_like(features), weights, np.zeros(classes, np.float32))


def publish(
    reader: Reader,
    weights: Sequence[Path],
    corpus: Path,
    *,
    changed: Path = catalogue.JUDGE_ADAPTER,
    head: Path = STATE_HEAD,
) -> None:
    """Write the adapter and the head, and beside them what they were fitted on.

    Args:
        reader: on top of the adapter that there is; it gets the weights.
        weights: ``best.pt`` or ``latest.pt`` of one fit or several.
        corpus: what was fitted to.
        changed: the adapter.
        head: the head.

    Raises:
        BadInputError: the weights cannot be read.

    """
    model = reader.model
    learned: dict[str, FloatArray] = {}
    heads: list[Linear] = []
    fits = []
    for each in weights:
        settings = load_weights(model, each)
        for name, change in model.changes().items():
            share = (change / len(weights)).astype(np.float32)
            learned[name] = learned[name] + share if name in learned else share
        heads.append(fitted_head(model))
        state = torch.load(each, weights_only=True, map_location="cpu")["state"]
        fits.append({"steps": int(state["step"]), "labels": int(state["labels"]), "settings": dict(settings._asdict())})
    note = {
        "on_top_of": adapter.version_of(changed),
        "fits": fits,
        "corpus_sha256": hashlib.sha256(corpus.read_bytes()).hexdigest(),
        "made_on": made_with_torch(model.base.device.type),
        "command": "make tune",
    }
    adapter.save(changed, on_top_of(adapter.load(changed), learned))
    told = {"weights_sha256": hashlib.sha256(changed.read_bytes()).hexdigest(), **note}
    changed.with_suffix(".json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    plain = len(TEXT_SIGNALS)
    weighing = (only_the_state(plain), only_the_state(plain + len(EXAMPLE_SIGNALS)))
    mean = Linear(*(np.mean(part, axis=0).astype(np.float32) for part in zip(*heads, strict=True)))
    state_head.save(head, Head(mean, *weighing, 1.0, "unsaved"))
