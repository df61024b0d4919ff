"""Fits the upper layers of the judge's model (``make tune``): LoRA (Hu et al. 2021) on the layers next to the state.

A head reads what the frozen model happens to hold. Here the last layers that the judge reads learn to hold what it
asks: whether an answer makes a point, says the opposite or leaves it out. They learn from answers composed of the
bank's statements, and from our labeled answers for the manner of speaking; the layers below stay as they are, so
nothing is propagated through them. The head that is there already reads the states while they are learned, and moves
little. What changed is stored by ``serving.models.adapter`` and added when the model is converted, so grading costs
nothing more.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rubric.grading import state_head
from rubric.grading.state_head import CLASSES
from rubric.model import Criterion, Verdict
from rubric.training.labeled_answers import Answer
from rubric.training.optimizer import descend
from rubric.training.sequence_packing import Packed, Tokenize, pack, states
from rubric.training.synthetic_answers import composed
from serving.arrays import FloatArray
from serving.models import adapter

if TYPE_CHECKING:
    import torch

STEPS = 420
PACKS = 2
"""Questions in a step."""
ANSWERS = 3
"""Composed answers to a question of a step."""
ASKED = 3
"""Criteria asked of a labeled answer of a step."""
LABELED = 0.15
"""Share of questions whose labeled answers are read instead of composed ones."""

LAYERS = 6
"""Uppermost layers that learn."""
RANK = 16
STRENGTH = 2.0
"""Factor of what is learned (alpha over rank)."""
LEARNING_RATE = 4e-4
HEAD_RATE = 1e-4
"""Of the head, whose features are many: a step of Adam moves all of them."""

PROJECTIONS = (
    *(("self_attn", f"{name}_proj") for name in "qkvo"),
    *(("mlp", f"{name}_proj") for name in ("gate", "up", "down")),
)


class Reading(NamedTuple):
    """Answers to one question, to be read at once.

    Attributes:
        question: as asked.
        given: the answers, each with texts of criteria.
        labels: index into ``CLASSES`` of every criterion, in order.

    """

    question: str
    given: list[tuple[str, list[str]]]
    labels: list[int]


class PromptSampler:
    """Draws what is read; the same for the same seed.

    Args:
        questions: text and criteria of each; those without statements on both sides are left out.
        answers: labeled ones, those to a question side by side; may be none.
        seed: of the draws.

    """

    def __init__(
        self, questions: Sequence[tuple[str, Sequence[Criterion]]], answers: Sequence[Answer], seed: int
    ) -> None:
        told = [
            (text, [item for item in criteria if item.examples.met and item.examples.contradicted])
            for text, criteria in questions
        ]
        self._questions = [(text, criteria) for text, criteria in told if criteria]
        by_question: dict[str, list[Answer]] = {}
        for answer in answers:
            by_question.setdefault(answer.question_id, []).append(answer)
        self._answers = list(by_question.values())
        self._draw = random.Random(seed)  # noqa: S311 - no secret

    @property
    def questions(self) -> int:
        """How many questions answers are composed to."""
        return len(self._questions)

    def batches(self) -> Iterator[list[Reading]]:
        """Batches without end; each question comes once before any comes again."""
        composing, labeled = self._dealt(self._questions), self._dealt(self._answers)
        while True:
            yield [
                self._labeled(next(labeled))
                if self._answers and self._draw.random() < LABELED
                else self._composed(*next(composing))
                for _ in range(PACKS)
            ]

    def _dealt(self, things: Sequence[Any]) -> Iterator[Any]:
        while True:
            yield from self._draw.sample(things, len(things))

    def _composed(self, question: str, criteria: Sequence[Criterion]) -> Reading:
        made = [composed(criteria, self._draw) for _ in range(ANSWERS)]
        return _reading(question, [(each.text, list(zip(each.criteria, each.labels, strict=True))) for each in made])

    def _labeled(self, answers: Sequence[Answer]) -> Reading:
        asked = [list(zip(each.criteria, each.labels, strict=True)) for each in answers]
        some = [self._draw.sample(pairs, min(ASKED, len(pairs))) for pairs in asked]
        return _reading(answers[0].question, list(zip((each.text for each in answers), some, strict=True)))


def _reading(question: str, given: Sequence[tuple[str, Sequence[tuple[Criterion, Verdict]]]]) -> Reading:
    return Reading(
        question,
        [(text, [item.text for item, _ in pairs]) for text, pairs in given],
        [CLASSES.index(label) for _, pairs in given for _, label in pairs],
    )


def fit(
    model: Any,
    tokenize: Tokenize,
    data: PromptSampler,
    target: Path,
    progress: Callable[[int, int, float], None],
    *,
    begin: state_head.Linear,
    seed: int = 0,
    steps: int | None = None,
    layers: int | None = None,
    rank: int | None = None,
) -> None:
    """Fit the upper layers and write what changed. What was broken off is gone on with.

    Args:
        model: the judge's (``serving.models.dequantize``); its layers are changed in place.
        tokenize: its own.
        data: what is read.
        target: where the changes are written.
        progress: told how many of how many steps are done, and the loss of the last.
        begin: the head that reads the states meanwhile.
        seed: of what is learned before anything is.
        steps: how many; left out, ``STEPS``.
        layers: how many of the uppermost learn; left out, ``LAYERS``.
        rank: of what each of their projections learns; left out, ``RANK``.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    target.parent.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    learning = _add(model, layers or LAYERS, rank or RANK)
    mean, scale, weights, bias = (torch.from_numpy(part).to(model.device) for part in begin)
    reading = [torch.nn.Parameter(weights), torch.nn.Parameter(bias)]

    def loss_of(batch: list[Reading]) -> torch.Tensor:
        losses = []
        for read in batch:
            packed: Packed = pack(read.question, read.given, tokenize)
            logits = ((states(model, packed) - mean) / scale) @ reading[0].T + reading[1]
            wanted = torch.tensor(read.labels, device=logits.device)
            losses.append(torch.nn.functional.cross_entropy(logits, wanted))
        return torch.stack(losses).mean()

    descend(
        [
            {"params": [part for each in learning.values() for part in (each.down, each.up)], "lr": LEARNING_RATE},
            {"params": reading, "lr": HEAD_RATE},
        ],
        data.batches(),
        loss_of,
        progress,
        steps=steps or STEPS,
        rising=0.05,
        kept=target.with_suffix(".partial"),
    )
    adapter.save(target, {f"{name}.weight": each.change() for name, each in learning.items()}, rank or RANK)


def save_note(
    data: PromptSampler,
    answers: Path,
    target: Path,
    made_on: Mapping[str, str] | None = None,
    steps: int | None = None,
) -> None:
    """Write beside the changes what they were fitted to.

    Args:
        data: what was read.
        answers: file of the labeled answers.
        target: the changes.
        made_on: the device they were fitted on, and versions.
        steps: that the fit took.

    """
    note = {
        "weights_sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "questions": data.questions,
        "answers_sha256": hashlib.sha256(answers.read_bytes()).hexdigest(),
        "steps": steps or STEPS,
        "made_on": dict(made_on or {}),
        "command": "make tune",
    }
    target.with_suffix(".json").write_text(json.dumps(note, indent=2) + "\n")


def _add(model: Any, layers: int, rank: int) -> dict[str, Any]:
    """Put what learns beside the projections of the upper layers; by the projections' names."""
    count = len(model.layers)
    learning = {}
    for number in range(count - layers, count):
        for part, name in PROJECTIONS:
            parent = getattr(model.layers[number], part)
            added = _lora(getattr(parent, name), rank)
            setattr(parent, name, added)
            learning[f"layers.{number}.{part}.{name}"] = added
    return learning


def _lora(base: torch.nn.Linear, rank: int) -> Any:
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    class Lora(torch.nn.Module):
        """A projection and a change of low rank: base(x) + up(down(x)) * strength."""

        def __init__(self) -> None:
            super().__init__()
            wide, narrow = base.weight.shape
            device = base.weight.device
            self.base = base
            # Drawn on the CPU, so that a seed means the same on every device.
            self.down = torch.nn.Parameter((torch.randn(rank, narrow) / math.sqrt(narrow)).to(device))
            self.up = torch.nn.Parameter(torch.zeros(wide, rank, device=device))

        def forward(self, given: torch.Tensor) -> torch.Tensor:
            changed = (given @ self.down.to(given.dtype).T) @ self.up.to(given.dtype).T
            result: torch.Tensor = self.base(given) + STRENGTH * changed
            return result

        def change(self) -> FloatArray:
            """What is to be added to the projection's weight, in its shape."""
            result: FloatArray = (STRENGTH * (self.up @ self.down)).detach().cpu().numpy().astype(np.float32)
            return result

    return Lora()
