"""Whether the judge's marks on a card are those that its weights were fitted to: recorded prompts, read again.

The head was fitted to states that a CPU computed. A card rounds otherwise, reads its prompts in batches, and may not
compute in int8 at all, so the states differ a little; whether that matters is not to be guessed. So some hundred
prompts lie beside the weights with the probabilities that the CPU's states gave (``make parity``), and at its first
start on a card the judge reads them again. Pure but for ``load``.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from rubric.fitted_weights import PARITY
from rubric.grading.excerpt_prompts import excerpt_states
from rubric.grading.state_head import Head
from serving.arrays import FloatArray
from serving.errors import ModelMissingError, ProtocolError
from serving.frozen import FrozenModel
from serving.llm.client import StateClient
from serving.progress import Progress, silent

MOST_MOVED = 0.01
"""By how much the credit may differ, save of one prompt in a hundred."""

MOST_FLIPPED = 0.005
"""Share of prompts that may be credited on one machine and not on the other."""

DIGITS = 4
"""Kept of every recorded number, far finer than what is compared."""


class RecordedAnswer(FrozenModel):
    """An answer, and what the judge made of it on a CPU.

    Attributes:
        question: as asked.
        criteria: texts of the criteria.
        excerpts: what each criterion is read beside.
        text: ``TEXT_SIGNALS`` of each criterion.
        examples: ``EXAMPLE_SIGNALS`` of each criterion, ``None`` for one without examples.
        chances: probabilities of the four verdicts on each criterion.

    """

    question: str
    criteria: tuple[str, ...]
    excerpts: tuple[tuple[str, ...], ...]
    text: tuple[tuple[float, ...], ...]
    examples: tuple[tuple[float, ...] | None, ...]
    chances: tuple[tuple[float, ...], ...]


class Record(FrozenModel):
    """What the judge made of some answers on a CPU.

    Attributes:
        head: version of the head that gave the probabilities.
        judge: SHA-256 of what the judge's checkpoint was made from.
        made_on: the device and versions.
        answers: the answers.

    """

    head: str
    judge: str
    made_on: dict[str, str]
    answers: tuple[RecordedAnswer, ...]


class Parity(FrozenModel):
    """How far marks differ from those recorded.

    Attributes:
        prompts: how many were compared.
        moved: by how much the credit differs at most, save of one prompt in a hundred.
        flipped: share of the prompts that are credited in one place and not in the other.
        trouble: why nothing could be compared, one sentence; empty where it could.

    """

    prompts: int = 0
    moved: float = 0.0
    flipped: float = 0.0
    trouble: str = ""

    @property
    def refusal(self) -> str:
        """Why marks of this device are not to be used, one sentence; empty where they are."""
        if self.trouble:
            return self.trouble
        if self.moved <= MOST_MOVED and self.flipped <= MOST_FLIPPED:
            return ""
        return (
            f"The judge's marks differ here from those that its weights were fitted to: of {self.prompts} prompts the "
            f"probability of credit moves by up to {self.moved:.3f} in 99 % (at most {MOST_MOVED:g}), and "
            f"{self.flipped:.1%} change sides (at most {MOST_FLIPPED:.1%})."
        )


def credit(chances: FloatArray) -> FloatArray:
    """The credit that probabilities of the four verdicts [n, 4] stand for, [n]."""
    result: FloatArray = (chances[:, 0] + chances[:, 1] / 2).astype(np.float32)
    return result


def compared(recorded: FloatArray, found: FloatArray) -> Parity:
    """How far probabilities [n, 4] differ from those recorded."""
    before, now = credit(recorded), credit(found)
    moved = np.abs(before - now)
    return Parity(
        prompts=len(before),
        moved=float(np.quantile(moved, 0.99)),
        flipped=float(np.mean((before >= 0.5) != (now >= 0.5))),
    )


def check(record: Record, head: Head, judge: str, client: StateClient, progress: Progress = silent) -> Parity:
    """Have a server read the recorded prompts, an answer at a time as when it is graded, and compare.

    Args:
        record: what a CPU gave.
        head: reads the states.
        judge: SHA-256 of what the checkpoint is made from that the CPU would read.
        client: gives the states.
        progress: told the share that is read.

    Raises:
        ServerGoneError: the server does not answer (now).

    """
    if (record.head, record.judge) != (head.version, judge):
        return Parity(trouble="The recorded marks are of other weights than these, so that nothing can be compared.")
    found = []
    for number, each in enumerate(record.answers):
        progress("comparing marks with recorded ones", number / len(record.answers))
        try:
            states = excerpt_states(client, each.question, each.criteria, each.excerpts)
        except ProtocolError as error:
            return Parity(trouble=f"The judge's model gives no states that can be used here: {error.message}")
        if states.shape[1] != head.state.mean.size:
            return Parity(trouble="The judge's model gives states of another length here.")
        examples = [None if row is None else np.array(row, dtype=np.float32) for row in each.examples]
        found.append(head.probabilities(states, np.array(each.text, dtype=np.float32), examples))
    recorded = np.array([row for each in record.answers for row in each.chances], dtype=np.float32)
    return compared(recorded, np.concatenate(found))


def load(path: Path = PARITY) -> Record:
    """Read what was recorded.

    Raises:
        ModelMissingError: the file is not there or is no record.

    """
    try:
        return Record.model_validate_json(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError) as error:
        raise ModelMissingError(
            f"The recorded marks {path} cannot be read.", hint="Get the file from the repository again."
        ) from error
