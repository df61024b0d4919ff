"""Fits the cross-encoder to the bank's example statements (``make adapt``).

It begins as the fitted sentence encoder (``rubric.training.fit_sentence_encoder``) and learns, for two texts read
together, whether the second says the same as the first, the opposite, or something else: what tells a right statement
from its opposite is in a few words of it, and differs from criterion to criterion. What is learned of the bank's
criteria is meant to stay: the questions that are asked are those it was fitted to. The embeddings and the lowest
layers stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rubric.fitted_weights import ADAPTER
from rubric.training import fit_sentence_encoder
from rubric.training.fit_sentence_encoder import Group
from rubric.training.optimizer import descend
from rubric.training.statement_pairs import Example, PairSampler
from serving.encoders.cross_encoder import BIAS, WEIGHTS, unfitted
from serving.models import adapter

STEPS = 4000
LEARNING_RATE = 1.5e-4
LAST_LEARNING_RATE = 1e-3
"""Of the last layer, which knows nothing at first."""
FROZEN = 2
"""Lowest layers that stay as they are."""


def fit(
    folder: Path,
    data: Sequence[Group],
    target: Path,
    progress: Callable[[int, int, float], None],
    *,
    begin: Path = ADAPTER,
    seed: int = 0,
    steps: int | None = None,
) -> None:
    """Fit the cross-encoder and write what changed.

    Args:
        folder: the published sentence encoder.
        data: what it is fitted to.
        target: where the changes are written.
        progress: told how many of how many steps are done, and the loss of the last.
        begin: changes to the published model to begin with.
        seed: of the pairs.
        steps: how many; left out, ``STEPS``.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    torch.manual_seed(seed)
    model = unfitted(folder)
    before = {name: value.detach().clone() for name, value in model.encoder.named_parameters()}
    adapter.add(model.encoder, adapter.load(begin))
    model.encoder.train()
    model.encoder.embeddings.requires_grad_(False)
    for layer in model.encoder.encoder.layer[:FROZEN]:
        layer.requires_grad_(False)
    device = model.last.weight.device

    def loss_of(batch: list[Example]) -> torch.Tensor:
        wanted = torch.tensor([example.relation for example in batch], device=device)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            logits = model.logits([example.pair for example in batch])
        return torch.nn.functional.cross_entropy(logits.float(), wanted)

    learning = [value for value in model.encoder.parameters() if value.requires_grad]
    descend(
        [
            {"params": learning, "lr": LEARNING_RATE},
            {"params": list(model.last.parameters()), "lr": LAST_LEARNING_RATE},
        ],
        PairSampler(data, seed).batches(),
        loss_of,
        progress,
        steps=steps or STEPS,
        rising=0.05,
    )
    changed = {
        name: (value.detach() - before[name]).cpu().float().numpy()
        for name, value in model.encoder.named_parameters()
        if not torch.equal(value, before[name])
    }
    named = {WEIGHTS: model.last.weight, BIAS: model.last.bias}
    adapter.save(target, changed | {name: value.detach().cpu().float().numpy() for name, value in named.items()})
    fit_sentence_encoder.save_note(data, target)
