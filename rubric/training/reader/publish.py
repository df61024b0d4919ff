"""Puts fitted weights into the project.

What the layers learned is added to the change that the judge's adapter holds already, and the head is written beside
the weights that weigh. Those are of other logits then, so ``make calibrate`` has to follow.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import torch

from rubric.fitted_weights import STATE_HEAD
from rubric.grading import state_head
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS
from rubric.grading.state_head import CLASSES, Head, Linear
from rubric.training.made_on import made_with_torch
from rubric.training.reader.checkpoint import Reader, changes, load_weights
from rubric.training.reader.model import ReaderModel
from serving.models import adapter, catalogue


def fitted_head(model: ReaderModel) -> Linear:
    """What the head has learned."""
    found = model.head.state_dict()
    return Linear(**{name: found[name].detach().cpu().numpy() for name in Linear._fields})


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
    weights: Path,
    corpus: Path,
    *,
    changed: Path = catalogue.JUDGE_ADAPTER,
    head: Path = STATE_HEAD,
) -> None:
    """Write the adapter and the head, and beside them what they were fitted on.

    Args:
        reader: on top of the adapter that there is; it gets the weights.
        weights: ``best.pt`` or ``latest.pt`` of a fit.
        corpus: what was fitted to.
        changed: the adapter.
        head: the head.

    Raises:
        BadInputError: the weights cannot be read.

    """
    model = reader.model
    settings = load_weights(model, weights)
    state = torch.load(weights, weights_only=True, map_location="cpu")["state"]
    note = {
        "on_top_of": adapter.version_of(changed),
        "steps": int(state["step"]),
        "labels": int(state["labels"]),
        "settings": dict(settings._asdict()),
        "corpus_sha256": hashlib.sha256(corpus.read_bytes()).hexdigest(),
        "made_on": made_with_torch(model.base.device.type),
        "command": "make tune",
    }
    adapter.save(changed, changes(model, adapter.load(changed)))
    told = {"weights_sha256": hashlib.sha256(changed.read_bytes()).hexdigest(), **note}
    changed.with_suffix(".json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    plain = len(TEXT_SIGNALS)
    weighing = (only_the_state(plain), only_the_state(plain + len(EXAMPLE_SIGNALS)))
    state_head.save(head, Head(fitted_head(model), *weighing, 1.0, "unsaved"))
