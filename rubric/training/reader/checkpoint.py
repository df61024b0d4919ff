"""What the fit of the reader keeps: settings, files, weights, and the change they amount to."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch

from rubric.training.reader.examples import Task
from rubric.training.reader.model import ReaderModel
from rubric.training.reader.packing import Packed, Tokenize, pack
from serving.arrays import FloatArray
from serving.atomic import replacement
from serving.errors import BadInputError

WEIGHTS_OF_PARTS = {"excerpts": 1.0, "statements": 0.5}
"""Of the cross-entropies on held-out questions, in the figure by which weights are chosen and the fit is ended."""


class Settings(NamedTuple):
    """What a fit is made with; kept in its checkpoints.

    Attributes:
        first: number of the first layer that learns.
        rank: of the changes.
        rate: highest learning rate of the changes.
        head_rate: likewise of the head.
        tasks: sequences in a step.
        steps: at most.
        rising: steps in which the rates rise.
        falling: share of the steps done that the rates take to fall.
        margin: weight of the margin between contrast pairs.
        averaging: decay of the moving average of the weights, a step.
        validate_every: steps between validations.
        patience: validations without improvement after which the rates fall.
        validated: examples of each part of a validation.
        probed: tasks that the head is fitted to before the first step, for prompts that it has never seen; 0 where it
            goes on from what it is.
        seed: of everything drawn.
        base: version of the adapter that the fit is on top of.

    """

    first: int = 8
    rank: int = 16
    rate: float = 2e-4
    head_rate: float = 1e-4
    tasks: int = 2
    steps: int = 330
    rising: int = 30
    falling: float = 0.3
    margin: float = 0.1
    averaging: float = 0.99
    validate_every: int = 60
    patience: int = 6
    validated: int = 420
    probed: int = 0
    seed: int = 0
    base: str = ""


class Reader(NamedTuple):
    """A model and how texts become its tokens."""

    model: ReaderModel
    tokenize: Tokenize

    def pack(self, task: Task) -> Packed:
        """A task's prompts in one sequence."""
        return pack(task.question, task.given, self.tokenize)

    def logits(self, task: Task) -> torch.Tensor:
        """Logits of ``CLASSES`` for each of a task's prompts, [prompts, 4]."""
        return self.model.logits(self.pack(task))


class Files:
    """The files of a fit.

    Args:
        folder: made when it is not there.

    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.checkpoint, self.best, self.latest = (folder / f"{name}.pt" for name in ("checkpoint", "best", "latest"))
        self.curve, self.pause = folder / "curve.jsonl", folder / "PAUSE"

    def tell(self, line: Mapping[str, Any]) -> None:
        """Add a line to the curve."""
        with self.curve.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    def forget_after(self, step: int) -> None:
        """Drop what the curve says of steps that were lost."""
        if self.curve.is_file():
            lines = self.curve.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if json.loads(line)["step"] <= step]
            self.curve.write_text("".join(kept), encoding="utf-8")


class averaged:  # noqa: N801 - used as a statement
    """A model with other values of what learns, for the time of a ``with``.

    Args:
        model: changed and changed back in place.
        values: by name.

    """

    def __init__(self, model: ReaderModel, values: Mapping[str, torch.Tensor]) -> None:
        self._model, self._values = model, values
        self._own: dict[str, torch.Tensor] = {}

    def __enter__(self) -> ReaderModel:
        with torch.no_grad():
            for name, value in self._model.learned().items():
                self._own[name] = value.detach().clone()
                value.copy_(self._values[name])
        return self._model

    def __exit__(self, *_: object) -> None:
        with torch.no_grad():
            for name, value in self._model.learned().items():
                value.copy_(self._own[name])


def save(found: Mapping[str, Any], path: Path) -> None:
    """Write a file so that it is there whole or not at all."""
    with replacement(path) as partial:
        torch.save(dict(found), partial)


def load_weights(model: ReaderModel, path: Path) -> Settings:
    """Give a model the weights of ``best.pt`` or ``latest.pt``.

    Returns:
        What they were fitted with.

    Raises:
        BadInputError: the file cannot be read.

    """
    try:
        found = torch.load(path, weights_only=True, map_location="cpu")
        model.head.load_state_dict(found["head"])
        with torch.no_grad():
            for name, value in model.learned().items():
                value.copy_(found["average"][name])
        return Settings(**found["settings"])
    except (OSError, KeyError, RuntimeError, pickle.UnpicklingError) as error:
        raise BadInputError(f"The weights {path} cannot be read: {error}.") from error


def on_top_of(before: Mapping[str, FloatArray], learned: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """What is to be added to the published weights, by the parameter's name.

    Args:
        before: what the fit's base had on top of them already (``serving.models.adapter.load`` of the judge's).
        learned: by the fit, on top of that.

    """
    both = {name: before[name] + learned[name] for name in before.keys() & learned.keys()}
    return {**before, **learned, **both}
