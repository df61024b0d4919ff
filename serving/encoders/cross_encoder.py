"""Two texts, read together -> what the second says of the first: the same, the opposite, or something else.

A sentence encoder reads each text alone and hears what it is about; a cross-encoder reads both at once and can weigh a
"not" against the word that it denies (Reimers and Gurevych 2019, "Sentence-BERT", section 1; Nogueira and Cho 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from serving.arrays import FloatArray
from serving.encoders.compute_thread import in_turns
from serving.encoders.sentence_encoder import missing, published, rounding
from serving.errors import ModelMissingError
from serving.models import adapter

if TYPE_CHECKING:
    import torch

    from serving.encoders.bert import Bert

Pair = tuple[str, str]

RELATIONS = ("same", "opposite", "other")
"""What the second text of a pair may be to the first, in the order of the model's outputs."""

LONGEST = 128
"""Tokens of a pair that are read; of a longer one the longer text is cut."""

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
        self._model: tuple[Bert, torch.nn.Linear] | None = None

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        """See ``CrossEncoder.read``."""
        return self._read(pairs, nullcontext)

    def read_rounded(self, pairs: Sequence[Pair]) -> FloatArray:
        """As ``read``; where the processor multiplies bfloat16, the weights and texts are rounded to it.

        That takes a third of the time and moves a probability by .013 at most (600 pairs on an AMD EPYC).

        Raises:
            ModelMissingError: the model is not there.

        """
        return self._read(pairs, rounding)

    def _read(self, pairs: Sequence[Pair], precision: Callable[[], AbstractContextManager[object]]) -> FloatArray:
        def read(some: Sequence[Pair]) -> FloatArray:
            import torch  # noqa: PLC0415 - only whoever reads pays for the import

            bert, last = self._loaded()
            with torch.inference_mode():
                with precision():
                    means = bert.means(some)
                found: FloatArray = torch.log_softmax(last(means), dim=1).cpu().numpy()
            return found

        return in_turns(pairs, lambda pair: sum(map(len, pair)), len(RELATIONS), read)

    def _loaded(self) -> tuple[Bert, torch.nn.Linear]:
        if self._model is None:
            import torch  # noqa: PLC0415 - only whoever reads pays for the import

            from serving.encoders.bert import LEFT_OUT, load_bert  # noqa: PLC0415

            changes = adapter.load(self._changed)
            try:
                bert = load_bert(self._folder, LONGEST)
            except (OSError, ValueError, KeyError, RuntimeError) as error:
                raise missing(self._folder, error=error) from error
            last = torch.nn.Linear(bert.size, len(RELATIONS))
            try:
                named = {"weight": changes[WEIGHTS], "bias": changes[BIAS]}
                last.load_state_dict({name: torch.from_numpy(value) for name, value in named.items()})
            except (KeyError, RuntimeError) as error:
                raise ModelMissingError(f"{self._changed} holds no cross-encoder: {error}.") from error
            adapter.add(bert, changes, (*LEFT_OUT, WEIGHTS, BIAS))
            self._model = bert, last.to(bert.device)
        return self._model


class RoundedCrossEncoder:
    """Reads as ``FittedCrossEncoder.read_rounded`` does: for what only chooses what a judge then reads.

    Args:
        exact: the cross-encoder in memory.

    """

    def __init__(self, exact: FittedCrossEncoder) -> None:
        self._exact = exact

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        """See ``CrossEncoder.read``."""
        return self._exact.read_rounded(pairs)


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
