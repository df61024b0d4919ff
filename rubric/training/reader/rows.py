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
        tokens: [prompts, longest], padded on the right with the prompt's first token.
        last: place of each prompt's last token in its row, [prompts].

    """

    tokens: torch.Tensor
    last: torch.Tensor


def rows_of(packed: Packed) -> Rows:
    """Packed prompts, each in a row of its own."""
    prompts = [packed.tokens[0, packed.mask[0, 0, place]] for place in packed.last]
    last = torch.tensor([len(prompt) - 1 for prompt in prompts], device=packed.tokens.device)
    first = int(packed.tokens[0, 0])
    return Rows(torch.nn.utils.rnn.pad_sequence(prompts, batch_first=True, padding_value=first), last)


def last_states(base: Any, rows: Rows, first: int) -> torch.Tensor:
    """The last states of the prompts' last tokens, [prompts, hidden] float32.

    Args:
        base: a Qwen2 model of the ``transformers`` library.
        rows: the prompts, on the model's device.
        first: number of the first layer that learns; nothing is kept of those below for a backward pass.

    """
    with torch.no_grad():
        states = base.embed_tokens(rows.tokens)
        rotation = base.rotary_emb(states, torch.arange(rows.tokens.shape[1], device=rows.tokens.device)[None])
        for layer in base.layers[:first]:
            states = _layer(layer, states, rotation)
    for layer in base.layers[first:]:
        states = _layer(layer, states, rotation)
    ends = states[torch.arange(len(states), device=states.device), rows.last]
    result: torch.Tensor = base.norm(ends).float()
    return result


def _layer(layer: Any, states: torch.Tensor, rotation: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    # Without a mask the library's attention is causal.
    found = layer(states, attention_mask=None, position_embeddings=rotation)
    result: torch.Tensor = found[0] if isinstance(found, tuple) else found
    return result
