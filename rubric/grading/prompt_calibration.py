"""What a model's Yes and No are worth: the calibration of a judge by prompt, kept with its trust card.

A multinomial logistic regression weighs the two log-odds of ``rubric.grading.judges.prompted.PromptJudge`` and the
cheap signals into the probabilities of the four verdicts (``rubric.training.fit_prompt_calibration`` fits it, ``make
grade-bench MODEL=…`` measures it). It is kept on the person's machine, one file for each model, since it belongs to
the model that they named.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

import numpy as np
from pydantic import Field, ValidationError

from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS, CriterionView
from rubric.grading.state_head import Linear, softmax
from rubric.grading.trust_card import TrustCard, cards
from serving import paths
from serving.arrays import FloatArray
from serving.atomic import write_atomic
from serving.frozen import FrozenModel

log = logging.getLogger(__name__)

Row = tuple[float, ...]

ODDS = 2
"""Log-odds that a judge by prompt is calibrated on: "makes this point" and "says the opposite"."""


class Weights(FrozenModel):
    """A regression's numbers, as ``rubric.grading.state_head.Linear`` has them, in a form that JSON can hold."""

    mean: Row
    scale: Row
    weights: tuple[Row, Row, Row, Row]
    bias: tuple[float, float, float, float]

    @classmethod
    def of(cls, linear: Linear) -> Self:
        """The same numbers, rounded to what a verdict can feel."""
        return cls.model_validate({name: np.round(part, 6).tolist() for name, part in linear._asdict().items()})

    def logits(self, features: FloatArray) -> FloatArray:
        """Logits of the four verdicts, [n, 4], for features [n, features]."""
        parts = (self.mean, self.scale, self.weights, self.bias)
        return Linear(*(np.array(part, dtype=np.float32) for part in parts)).logits(features)


Asked = Literal["odds", "choice"]
"""How a model was asked: for Yes or No, its log-odds read, or for one choice of four."""


class Calibration(FrozenModel):
    """How one model's log-odds and the signals become probabilities.

    Attributes:
        asked: how the model was asked; what it says when asked otherwise is worth something else.
        model: the name that its server gives it.
        with_text: two log-odds and ``TEXT_SIGNALS`` -> verdict logits.
        with_examples: the same and ``EXAMPLE_SIGNALS`` -> verdict logits, for criteria with example statements.
        spread: standard errors that a score's interval has on either side (``rubric.grading.uncertainty``).

    """

    model: str
    with_text: Weights
    with_examples: Weights
    spread: float = Field(gt=0.0)
    asked: Asked = "odds"

    @property
    def version(self) -> str:
        """Twelve hex digits that change whenever a probability may."""
        # As it was before models could be asked in two ways, so that cards that were kept are still found.
        told = self.model_dump_json(exclude={"asked"} if self.asked == "odds" else None)
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def probabilities(self, odds: FloatArray, views: Sequence[CriterionView]) -> FloatArray:
        """Probabilities of the four verdicts for each criterion, [n, 4].

        Args:
            odds: log-odds of "makes this point" and of "says the opposite", less the prior, [n, 2].
            views: the criteria's signals.

        """
        rows = []
        for pair, view in zip(odds, views, strict=True):
            if view.examples is None:
                rows.append(self.with_text.logits(np.concatenate([pair, view.text])[None])[0])
            else:
                rows.append(self.with_examples.logits(np.concatenate([pair, view.text, view.examples])[None])[0])
        return softmax(np.stack(rows))


class Measured(FrozenModel):
    """A model as a judge by prompt: how to read it, and how far to trust it.

    Attributes:
        calibration: fitted to all answers that it was measured on.
        card: measured with each question left out of the calibration that judged it.

    """

    calibration: Calibration
    card: TrustCard


def save(measured: Measured, folder: Path) -> Path:
    """Keep what was measured of a model, in place of what was measured of it before.

    Returns:
        The file.

    Raises:
        StorageError: the disk refused.

    """
    path = _file(measured.calibration.model, folder)
    paths.made(path.parent)
    write_atomic(path, measured.model_dump_json(indent=2) + "\n")
    return path


def find(model: str, folder: Path) -> Measured | None:
    """What was measured of a model; ``None`` where nothing was, or what is there cannot be read."""
    found = _read(_file(model, folder))
    return found if found is not None and found.calibration.model == model else None


def kept(folder: Path) -> tuple[Measured, ...]:
    """What was measured of all models, those that can be read."""
    return tuple(found for path in sorted(folder.glob("*.json")) if (found := _read(path)) is not None)


def known_cards(folder: Path) -> tuple[TrustCard, ...]:
    """The cards of all judges that were measured: ours, and those of the models that the person named.

    Raises:
        ModelMissingError: the file of our card is broken.

    """
    return (*cards(), *(found.card for found in kept(folder)))


def _file(model: str, folder: Path) -> Path:
    return folder / f"{hashlib.sha256(model.encode()).hexdigest()[:16]}.json"


def _read(path: Path) -> Measured | None:
    try:
        found = Measured.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        # An interview must not stop over it: the model then judges uncalibrated, and says so.
        log.warning("the calibration %s cannot be read: %s", path, error)
        return None
    plain = ODDS + len(TEXT_SIGNALS)
    fitted = len(found.calibration.with_text.mean), len(found.calibration.with_examples.mean)
    if fitted != (plain, plain + len(EXAMPLE_SIGNALS)):
        log.warning("the calibration %s was fitted for other signals; measure the model again", path)
        return None
    return found
