"""Puts fitted weights into the project: ``python -m rubric.training.reader.publish FOLDER/best.pt``.

What the layers learned is added to the change that the judge's adapter holds already, and the heads are written beside
the weights that weigh. The latter are of other logits then, so ``make calibrate`` has to follow, and ``make parity``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

from rubric.fitted_weights import STATE_HEAD
from rubric.grading import state_head
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS
from rubric.grading.state_head import CLASSES, Head, Linear
from rubric.training.made_on import made_with_torch
from rubric.training.reader.checkpoint import Settings, changes, load_weights
from rubric.training.reader.fit import load_reader
from rubric.training.reader.model import Prompt, ReaderModel
from serving.models import adapter, catalogue


def fitted_head(model: ReaderModel, prompt: Prompt) -> Linear:
    """What a prompt's head has learned."""
    found = model.heads[prompt].state_dict()
    return Linear(**{name: found[name].detach().cpu().numpy() for name in Linear._fields})


def plain_sum(features: int) -> Linear:
    """Weighs both prompts alike and no signal, until it is fitted."""
    classes = len(CLASSES)
    weights = torch.zeros(classes, features)
    weights[:, : 2 * classes] = torch.eye(classes).repeat(1, 2) / 2
    parts = (torch.zeros(features), torch.ones(features), weights, torch.zeros(classes))
    return Linear(*(part.numpy() for part in parts))


def publish(model: ReaderModel, rank: int, note: dict[str, object]) -> None:
    """Write the adapter and the head.

    Args:
        model: with the fitted weights, on top of the adapter that there is.
        rank: of what was fitted.
        note: written beside the adapter.

    """
    before = adapter.load(catalogue.JUDGE_ADAPTER)
    adapter.save(catalogue.JUDGE_ADAPTER, changes(model, before), adapter.RANK + rank)
    catalogue.JUDGE_ADAPTER.with_suffix(".json").write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
    plain = 2 * len(CLASSES) + len(TEXT_SIGNALS)
    head = Head(
        fitted_head(model, "whole"),
        fitted_head(model, "excerpt"),
        plain_sum(plain),
        plain_sum(plain + len(EXAMPLE_SIGNALS)),
        1.0,
        "unsaved",
    )
    state_head.save(STATE_HEAD, head)


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="best.pt or latest.pt of a fit")
    wanted = parser.parse_args()
    found = torch.load(wanted.weights, weights_only=True, map_location="cpu")
    settings = Settings(**found["settings"])
    reader = load_reader(catalogue.ensure_judge(), catalogue.JUDGE_LAYERS, settings, "cpu", None)
    load_weights(reader.model, wanted.weights)
    publish(
        reader.model,
        settings.rank,
        {
            "fitted_on_top_of": adapter.version_of(catalogue.JUDGE_ADAPTER),
            "steps": int(found["state"]["step"]),
            "labels": int(found["state"]["labels"]),
            "settings": dict(settings._asdict()),
            "made_on": made_with_torch("cpu"),
            "command": "python -m rubric.training.reader.fit FOLDER --corpus FILE; then …publish FOLDER/best.pt",
        },
    )


if __name__ == "__main__":
    main()
