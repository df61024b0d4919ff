"""Packed prompts one by one, each a row of its own, as a card reads them.

On a card the fit on packed prompts became NaN in both trials there were. In a row that is padded on the right, a token
never sees the padding, so causal attention needs no mask and takes the card's fast kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from rubric.training.reader.packing import Packed


class Rows(NamedTuple):
    """Prompts of different lengths.

    Attributes:
        tokens: [prompts, longest], padded on the right.
        last: place of each prompt's last token in its row, [prompts].

    """

    tokens: torch.Tensor
    last: torch.Tensor


def rows_of(packed: Packed) -> Rows:
    """Packed prompts, each in a row of its own."""
    prompts = [packed.tokens[0, packed.mask[0, 0, place]] for place in packed.last]
    last = torch.tensor([len(prompt) - 1 for prompt in prompts])
    return Rows(torch.nn.utils.rnn.pad_sequence(prompts, batch_first=True), last)


def last_states(base: Any, rows: Rows, first: int) -> torch.Tensor:
    """The last states of the prompts' last tokens, [prompts, hidden] float32.

    Args:
        base: a Qwen2 model of the ``transformers`` library.
        rows: the prompts; moved to the model's device.
        first: number of the first layer that learns; nothing is kept of those below for a backward pass.

    """
    tokens, last = (each.to(base.device) for each in rows)
    with torch.no_grad():
        states = base.embed_tokens(tokens)
        rotation = base.rotary_emb(states, torch.arange(tokens.shape[1], device=base.device)[None])
    for number, layer in enumerate(base.layers):
        with torch.set_grad_enabled(number >= first and torch.is_grad_enabled()):
            # Without a mask the library's attention is causal.
            states = layer(states, attention_mask=None, position_embeddings=rotation)
    result: torch.Tensor = base.norm(states[torch.arange(len(states), device=base.device), last]).float()
    return result
