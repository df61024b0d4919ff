"""The fit of the layers and the head that read the judge's prompts; ``rubric.training.reader.tune`` runs it.

Low-rank changes of the judge's upper layers (LoRA, Hu et al. 2021) and the head that reads their states learn at once
what an answer's nearest sentences do with a criterion. The fit is meant to run for hours beside other work:

- ``FOLDER/checkpoint.pt`` is written every few minutes and holds everything; the same command goes on from there;
- ``FOLDER/curve.jsonl`` gets a line every few steps, and one with figures on held-out questions after each validation;
- ``FOLDER/best.pt`` holds the weights of the best validation so far, ``FOLDER/latest.pt`` those of the last one;
- while ``FOLDER/PAUSE`` is there nothing is done.

The rate rises, stays, and falls to zero once validations have stopped improving, or at the last step. What is
validated and kept is a moving average of the weights, which is as good at any time as if the rate had fallen.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from rubric.grading.state_head import CLASSES
from rubric.training.fit_state_head import regression
from rubric.training.reader.checkpoint import WEIGHTS_OF_PARTS, Files, Reader, Settings, averaged, save
from rubric.training.reader.corpus import Entry
from rubric.training.reader.examples import Corpus
from rubric.training.reader.model import loss_of
from rubric.training.reader.validation import figures_of, validation_tasks
from serving.errors import BadInputError

_BEYOND = 10**9
"""Number of a task that no step comes to."""


class State:
    """How far a fit is.

    Attributes:
        step: steps done.
        position: number of the next task.
        labels: examples read.
        seconds: of work.
        best: the best figure so far, less is better.
        waited: validations since then.
        falls_at: step at which the rates began to fall; -1 before.
        ends_at: last step; -1 before the rates fall.

    """

    def __init__(self) -> None:
        self.step = self.position = self.labels = self.waited = 0
        self.seconds = 0.0
        self.best = math.inf
        self.falls_at = self.ends_at = -1

    def as_dict(self) -> dict[str, float]:
        """For a checkpoint."""
        return dict(vars(self))

    def update(self, values: Mapping[str, float]) -> None:
        """From a checkpoint."""
        vars(self).update(values)

    def fall(self, settings: Settings) -> None:
        """Let the rates fall from now on."""
        self.falls_at = self.step
        self.ends_at = min(settings.steps, self.step + max(1, round(settings.falling * self.step)))

    def share_of_rate(self, settings: Settings) -> float:
        """What the rates are multiplied with in the next step."""
        if self.falls_at >= 0:
            return max(0.0, (self.ends_at - self.step) / (self.ends_at - self.falls_at))
        return min(1.0, (self.step + 1) / settings.rising)


class Fit:
    """A fit, begun or gone on with.

    Args:
        reader: its weights are changed in place.
        entries: the corpus; held-out questions are validated on and never fitted to.
        files: where everything is written.
        settings: of a fit that begins; one that is gone on with keeps its own first layer, rank, seed and base.

    Raises:
        BadInputError: the checkpoint is of another shape of model.

    """

    def __init__(self, reader: Reader, entries: Sequence[Entry], files: Files, settings: Settings) -> None:
        self.reader, self.files, self.settings = reader, files, settings
        self.state = State()
        self.validation = validation_tasks(entries, settings)
        self._corpus = Corpus([each for each in entries if not each.held_out], settings.seed)
        self._stopped = False
        learned = reader.model.learned()
        changes = {id(parameter) for parameter in reader.model.learning()}
        self._optimizer = torch.optim.AdamW(
            [
                {"params": [each for each in learned.values() if id(each) in changes], "lr": settings.rate},
                {"params": [each for each in learned.values() if id(each) not in changes], "lr": settings.head_rate},
            ]
        )
        self._rates = [group["lr"] for group in self._optimizer.param_groups]
        if files.checkpoint.is_file():
            self._take_up()
        else:
            self._probe()
        self.average = getattr(self, "average", {name: value.detach().clone() for name, value in learned.items()})

    def stop(self) -> None:
        """Write a checkpoint and end after the step that is being made."""
        self._stopped = True

    def run(
        self,
        *,
        keep_every_s: float = 300.0,
        tell_every: int = 10,
        wait: Callable[[], None] | None = None,
        progress: Callable[[int, int, float], None] = lambda *_: None,
    ) -> bool:
        """Make steps until the fit is done, or stopped.

        Args:
            progress: told how many of how many steps are done, and the loss of the last.
            keep_every_s: seconds between checkpoints.
            tell_every: steps between lines of the curve.
            wait: called again and again while there is a pause.

        Returns:
            Whether the fit is done.

        """
        kept = time.monotonic()
        losses: list[float] = []
        paused = False
        while not self._done():
            if self._stopped:
                self.keep()
                return False
            if self.files.pause.exists():
                if not paused:
                    self.keep()
                paused, kept = True, time.monotonic()
                (wait or (lambda: time.sleep(5)))()
                continue
            paused = False
            begun = time.monotonic()
            losses.append(self._step())
            self.state.seconds += time.monotonic() - begun
            progress(self.state.step, max(self.settings.steps, self.state.ends_at), losses[-1])
            if self.state.step % tell_every == 0:
                self.files.tell(self._line() | {"loss": round(float(np.mean(losses)), 4)})
                losses = []
            if self.state.step % self.settings.validate_every == 0 or self._done():
                self._validate()
            if time.monotonic() - kept > keep_every_s:
                self.keep()
                kept = time.monotonic()
        self.keep()
        return True

    def _done(self) -> bool:
        state = self.state
        return state.step >= self.settings.steps or 0 <= state.ends_at <= state.step

    def _line(self) -> dict[str, Any]:
        state = self.state
        return {"step": state.step, "labels": state.labels, "seconds": round(state.seconds)}

    def _step(self) -> float:
        state, settings = self.state, self.settings
        last_falling = settings.steps - round(settings.falling * settings.steps)
        if state.falls_at < 0 and state.step >= last_falling > 0:
            state.falls_at, state.ends_at = state.step, settings.steps
        share = state.share_of_rate(settings)
        for group, rate in zip(self._optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * share
        self._optimizer.zero_grad()
        told = 0.0
        for _ in range(settings.tasks):
            task = self._corpus.task(state.position)
            state.position += 1
            if not task.allowed:
                continue
            loss = loss_of(self.reader.logits(task), task.allowed, task.pairs, settings.margin) / settings.tasks
            loss.backward()  # type: ignore[no-untyped-call]
            told += loss.item()
            state.labels += len(task.allowed)
        learned = self.reader.model.learned()
        torch.nn.utils.clip_grad_norm_(learned.values(), 1.0)
        self._optimizer.step()
        state.step += 1
        with torch.no_grad():
            keep = min(settings.averaging, state.step / (state.step + 10))
            for name, value in learned.items():
                self.average[name].lerp_(value, 1 - keep)
        return told

    def _validate(self) -> None:
        begun = time.monotonic()
        with averaged(self.reader.model, self.average):
            figures = {name: figures_of(self.reader, tasks) for name, tasks in self.validation.items()}
        figure = sum(WEIGHTS_OF_PARTS[name] * found["loss"] for name, found in figures.items())
        weights = {
            "average": self.average,
            "head": self.reader.model.head.state_dict(),
            "settings": self.settings._asdict(),
            "state": self.state.as_dict(),
        }
        save(weights, self.files.latest)
        if figure < self.state.best:
            self.state.best, self.state.waited = figure, 0
            save(weights, self.files.best)
        else:
            self.state.waited += 1
        if self.state.waited >= self.settings.patience and self.state.falls_at < 0:
            self.state.fall(self.settings)
        self.files.tell(
            self._line()
            | {"validation": figures, "figure": round(figure, 4), "took": round(time.monotonic() - begun)}
            | {"falling": self.state.falls_at >= 0}
        )

    def keep(self) -> None:
        """Write a checkpoint."""
        save(
            {
                "learned": {name: value.detach() for name, value in self.reader.model.learned().items()},
                "head": self.reader.model.head.state_dict(),
                "average": self.average,
                "optimizer": self._optimizer.state_dict(),
                "state": self.state.as_dict(),
                "settings": self.settings._asdict(),
                "random": torch.get_rng_state(),
            },
            self.files.checkpoint,
        )

    def _take_up(self) -> None:
        found = torch.load(self.files.checkpoint, weights_only=True, map_location="cpu")
        for name in ("first", "rank", "seed", "base"):
            if found["settings"][name] != getattr(self.settings, name):
                raise BadInputError(
                    f"{self.files.checkpoint} is of a fit with {name} {found['settings'][name]}; "
                    f"this one has {getattr(self.settings, name)}.",
                    hint="Name another folder, or the same settings.",
                )
        model = self.reader.model
        model.head.load_state_dict(found["head"])
        with torch.no_grad():
            for name, value in model.learned().items():
                value.copy_(found["learned"][name])
        self.average = {name: value.to(model.base.device) for name, value in found["average"].items()}
        self._optimizer.load_state_dict(found["optimizer"])
        self.state.update(found["state"])
        torch.set_rng_state(found["random"])
        self.files.forget_after(self.state.step)

    def _probe(self) -> None:
        """Begin the head as a regression on the states of the model as it is (Kumar et al. 2022)."""
        if not self.settings.probed:
            return
        states, labels = [], []
        with torch.no_grad():
            for _, task in itertools.islice(self._corpus.tasks(_BEYOND), self.settings.probed):
                if not task.allowed:
                    continue
                packed = self.reader.pack(task)
                states.append(self.reader.model.states(packed).cpu().numpy())
                labels += [allowed[0] for allowed in task.allowed]
        if len(set(labels)) < len(CLASSES):
            return
        rows = np.concatenate(states)
        begin = regression(rows, np.array(labels), np.ones(len(rows), np.float32), 1e-3)
        found = {name: torch.from_numpy(value) for name, value in begin._asdict().items()}
        self.reader.model.head.load_state_dict(found)
