"""Two texts, read together -> what the second says of the first: the same, the opposite, or something else.

A sentence encoder reads each text alone and hears what it is about; a cross-encoder reads both at once and can weigh a
"not" against the word that it denies (Reimers and Gurevych 2019, "Sentence-BERT", section 1; Nogueira and Cho 2019).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import published
from serving.errors import ModelMissingError
from serving.models import adapter

if TYPE_CHECKING:
    import torch

Pair = tuple[str, str]

RELATIONS = ("same", "opposite", "other")
"""What the second text of a pair may be to the first, in the order of the model's outputs."""

LONGEST = 128
"""Tokens of a pair that are read; of a longer one the longer text is cut."""

BATCH = 16
"""Pairs at a time, those of about the same length together."""

WEIGHTS, BIAS = "relation.weight", "relation.bias"
"""Names of the last layer's parameters in the stored file; all others are changes to the published encoder's."""


class CrossEncoder(Protocol):
    """What reads pairs of texts."""

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        """Log-probabilities of ``RELATIONS`` for each pair, [n, 3], float32.

        Raises:
            ModelMissingError: the model is not there.

        """


class Parts(NamedTuple):
    """A cross-encoder in memory.

    Attributes:
        encoder: the transformer.
        tokenizer: its own.
        last: mean state -> logits of ``RELATIONS``.

    """

    encoder: Any
    tokenizer: Any
    last: torch.nn.Linear

    def logits(self, pairs: Sequence[Pair]) -> torch.Tensor:
        """Logits of ``RELATIONS`` from the mean of the tokens' states, [n, 3]."""
        firsts, seconds = [first for first, _ in pairs], [second for _, second in pairs]
        tokens = self.tokenizer(
            firsts, seconds, padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        ).to(self.encoder.device)
        states = self.encoder(**tokens).last_hidden_state.float()
        mask = tokens["attention_mask"][..., None]
        logits: torch.Tensor = self.last((states * mask).sum(dim=1) / mask.sum(dim=1))
        return logits


class FittedCrossEncoder:
    """The published sentence encoder, changed to read pairs; loaded at the first use, once.

    Args:
        folder: the published model.
        changed: a file of changes to its weights, and the last layer (``save``).

    """

    def __init__(self, folder: Path, changed: Path) -> None:
        self._folder, self._changed = folder, changed
        self._model: Parts | None = None
        self._lock = threading.Lock()

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        """See ``CrossEncoder.read``."""
        found = np.zeros((len(pairs), len(RELATIONS)), dtype=np.float32)
        if not pairs:
            return found
        # The tokenizer of a model cannot be borrowed by two threads at once.
        with self._lock:
            import torch  # noqa: PLC0415 - only whoever reads pays for the import

            model = self._loaded()
            order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]) + len(pairs[place][1]))
            with torch.inference_mode():
                for begin in range(0, len(order), BATCH):
                    places = order[begin : begin + BATCH]
                    logits = model.logits([pairs[place] for place in places])
                    found[places] = torch.log_softmax(logits, dim=1).cpu().numpy()
        return found

    def _loaded(self) -> Parts:
        if self._model is None:
            import torch  # noqa: PLC0415 - only whoever reads pays for the import

            model = unfitted(self._folder)
            changes = dict(adapter.load(self._changed))
            try:
                last = {"weight": changes.pop(WEIGHTS), "bias": changes.pop(BIAS)}
                model.last.load_state_dict({name: torch.from_numpy(value) for name, value in last.items()})
            except (KeyError, RuntimeError) as error:
                raise ModelMissingError(f"{self._changed} holds no cross-encoder: {error}.") from error
            adapter.add(model.encoder, changes)
            model.encoder.eval()
            self._model = model
        return self._model


def unfitted(folder: Path) -> Parts:
    """The published encoder with a last layer that knows nothing yet.

    Raises:
        ModelMissingError: the folder holds no model, or one that cannot be loaded.

    """
    import torch  # noqa: PLC0415 - seconds of imports

    model = published(folder)
    encoder = model[0].auto_model
    last = torch.nn.Linear(encoder.config.hidden_size, len(RELATIONS), device=encoder.device)
    return Parts(encoder, model.tokenizer, last)
