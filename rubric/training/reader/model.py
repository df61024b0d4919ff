"""The reader's model: the judge's frozen layers, low-rank changes of the upper ones, and a linear head on their states.

The layers are run here rather than by ``transformers`` for three savings that change no result: each part of packed
prompts attends to what it follows and to nothing else (a mask over all tokens took a third of the time), the last layer
is computed for the prompts' last tokens only, and the states that the frozen lower layers give may be kept from one
reading of a prompt to the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from transformers.models.qwen2.modeling_qwen2 import apply_rotary_pos_emb

from rubric.grading.state_head import CLASSES, Linear
from rubric.training.reader.int8_linear import Int8Linear, LowRank
from rubric.training.reader.packing import Packed
from rubric.training.reader.rows import last_states, rows_of
from serving.arrays import FloatArray

PROJECTIONS = (
    *(("self_attn", f"{name}_proj") for name in "qkvo"),
    *(("mlp", f"{name}_proj") for name in ("gate", "up", "down")),
)


class Head(nn.Module):
    """A linear layer on standardized states; mean and scale stay as they are.

    Args:
        begin: what it starts as.

    """

    mean: torch.Tensor
    scale: torch.Tensor

    def __init__(self, begin: Linear) -> None:
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(begin.mean))
        self.register_buffer("scale", torch.from_numpy(begin.scale))
        self.weights = nn.Parameter(torch.from_numpy(begin.weights.copy()))
        self.bias = nn.Parameter(torch.from_numpy(begin.bias.copy()))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Logits of ``CLASSES``, [n, 4], of states [n, hidden] float32."""
        result: torch.Tensor = ((states - self.mean) / self.scale) @ self.weights.T + self.bias
        return result


def blank_head(hidden: int) -> Linear:
    """A head that knows nothing: every class is as likely."""
    classes = len(CLASSES)
    zeros, ones = np.zeros(hidden, np.float32), np.ones(hidden, np.float32)
    return Linear(zeros, ones, np.zeros((classes, hidden), np.float32), np.zeros(classes, np.float32))


class Part(NamedTuple):
    """Consecutive tokens of packed prompts that follow one another in a prompt.

    Attributes:
        length: how many.
        follows: places of all tokens that the last of them attends to, its own part included.
        mask: whether the token of a row attends to that of ``follows``, [length, follows].

    """

    length: int
    follows: torch.Tensor
    mask: torch.Tensor


def parts_of(packed: Packed) -> list[Part]:
    """The parts of packed prompts, in order."""
    mask = packed.mask[0, 0]
    alone = ~mask.diagonal(-1)
    begins = [0, *(alone.nonzero()[:, 0] + 1).tolist(), len(mask)]
    found = []
    for begin, end in itertools.pairwise(begins):
        follows = mask[end - 1].nonzero()[:, 0]
        found.append(Part(end - begin, follows, mask[begin:end][:, follows]))
    return found


class ReaderModel(nn.Module):
    """Reads packed prompts.

    Args:
        base: a Qwen2 model of the ``transformers`` library without an output layer; its layers are changed in place.
        first: number of the first layer that learns; those above it learn as well.
        rank: of the changes.
        strength: factor of the changes.
        begin: what the head starts as; left out, as knowing nothing.
        int8: whether the frozen weights are rounded to int8, as they are served on a CPU.

    """

    def __init__(
        self,
        base: Any,
        *,
        first: int,
        rank: int,
        strength: float = 2.0,
        begin: Linear | None = None,
        int8: bool = True,
    ) -> None:
        super().__init__()
        self.base, self.first = base.requires_grad_(False), first
        self._learning: dict[str, LowRank] = {}
        for number, layer in enumerate(base.layers):
            for part, name in PROJECTIONS:
                parent = getattr(layer, part)
                plain = getattr(parent, name)
                frozen = Int8Linear.of(plain) if int8 and isinstance(plain, nn.Linear) else plain
                if number >= first:
                    frozen = LowRank(frozen, rank, strength)
                    self._learning[f"layers.{number}.{part}.{name}"] = frozen
                setattr(parent, name, frozen)
        hidden = base.config.hidden_size
        self.head = Head(blank_head(hidden) if begin is None else begin).to(base.embed_tokens.weight.device)

    def learning(self) -> list[nn.Parameter]:
        """The low-rank changes' parameters."""
        return [part for each in self._learning.values() for part in (each.down, each.up)]

    def changes(self) -> dict[str, FloatArray]:
        """What is to be added to the weights, by the parameter's name (``serving.models.adapter``)."""
        return {f"{name}.weight": each.change() for name, each in self._learning.items()}

    def learned(self) -> dict[str, torch.Tensor]:
        """Everything that learns, by name."""
        return {name: value for name, value in self.named_parameters() if value.requires_grad}

    def lower(self, packed: Packed) -> torch.Tensor:
        """The states below the first layer that learns, [n, hidden]."""
        with torch.no_grad():
            packed = _moved(packed, self.base.device)
            states = self.base.embed_tokens(packed.tokens)[0]
            rotation = self.base.rotary_emb(states[None], packed.positions)
            parts = parts_of(packed)
            for layer in self.base.layers[: self.first]:
                states = _layer(layer, states, rotation, parts)
            result: torch.Tensor = states
            return result

    def upper(self, states: torch.Tensor, packed: Packed) -> torch.Tensor:
        """The last states of the prompts' last tokens, [prompts, hidden] float32, given what ``lower`` returned."""
        packed = _moved(packed, self.base.device)
        rotation = self.base.rotary_emb(states[None], packed.positions)
        parts, upper = parts_of(packed), self.base.layers[self.first :]
        for layer in upper[:-1]:
            states = _layer(layer, states, rotation, parts)
        states = _layer(upper[-1], states, rotation, packed.mask, packed.last)
        result: torch.Tensor = self.base.norm(states).float()
        return result

    def logits(self, packed: Packed, below: torch.Tensor | None = None) -> torch.Tensor:
        """Logits of ``CLASSES`` at each packed prompt's end, [prompts, 4].

        Args:
            packed: the prompts.
            below: what ``lower`` returned for them, where that is known already.

        """
        states = self.states(packed) if below is None else self.upper(below, packed)
        result: torch.Tensor = self.head(states)
        return result

    def states(self, packed: Packed) -> torch.Tensor:
        """The last states of the prompts' last tokens, [prompts, hidden] float32; on a card each prompt is a row."""
        if self.base.device.type == "cuda":
            return last_states(self.base, rows_of(packed), self.first)
        return self.upper(self.lower(packed), packed)


def _moved(packed: Packed, device: torch.device) -> Packed:
    return Packed(*(each.to(device) for each in packed))


def _layer(
    layer: Any,
    states: torch.Tensor,
    rotation: tuple[torch.Tensor, torch.Tensor],
    attended: list[Part] | torch.Tensor,
    wanted: torch.Tensor | None = None,
) -> torch.Tensor:
    """A decoder layer.

    Args:
        layer: of a Qwen2 model.
        states: [n, hidden].
        rotation: cosines and sines of the positions, each [1, n, head].
        attended: the prompts' parts; where some rows are wanted, the mask of all, [1, 1, n, n].
        wanted: the rows whose states are wanted; all where it is ``None``.

    Returns:
        [n or wanted, hidden].

    """
    attention = layer.self_attn
    read = layer.input_layernorm(states)
    asking = read if wanted is None else read[wanted]
    query, key, value = (
        _heads(projection(rows), attention.head_dim)
        for projection, rows in ((attention.q_proj, asking), (attention.k_proj, read), (attention.v_proj, read))
    )
    cosines, sines = rotation
    _, key = apply_rotary_pos_emb(key, key, cosines, sines)
    if wanted is not None:
        cosines, sines, states = cosines[:, wanted], sines[:, wanted], states[wanted]
    query, _ = apply_rotary_pos_emb(query, query, cosines, sines)
    if isinstance(attended, torch.Tensor):
        seen = _attention(query, key, value, attended if wanted is None else attended[:, :, wanted])
    else:
        asked = query.split([part.length for part in attended], dim=2)
        seen = torch.cat(
            [
                _attention(rows, key[:, :, part.follows], value[:, :, part.follows], part.mask)
                for rows, part in zip(asked, attended, strict=True)
            ],
            dim=2,
        )
    states = states + attention.o_proj(seen[0].transpose(0, 1).reshape(len(states), -1))
    mlp, told = layer.mlp, layer.post_attention_layernorm(states)
    result: torch.Tensor = states + mlp.down_proj(mlp.act_fn(mlp.gate_proj(told)) * mlp.up_proj(told))
    return result


def _attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, enable_gqa=True)


def _heads(states: torch.Tensor, size: int) -> torch.Tensor:
    """[n, heads * size] as [1, heads, n, size]."""
    return states.view(len(states), -1, size).transpose(0, 1)[None]


def credit_odds(logits: torch.Tensor) -> torch.Tensor:
    """Log-odds of met or partial against missing or contradicted, [n], of logits [n, 4]."""
    return logits[:, :2].logsumexp(dim=1) - logits[:, 2:].logsumexp(dim=1)


def loss_of(
    logits: torch.Tensor, allowed: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]], margin_weight: float
) -> torch.Tensor:
    """Cross-entropy against sets of allowed classes, and a margin between the members of contrast pairs.

    Args:
        logits: [n, 4].
        allowed: for each row the classes that are right; mostly one.
        pairs: rows (better, worse): the first shall have more credit than the second.
        margin_weight: weight of the margin.

    """
    right = torch.zeros_like(logits, dtype=torch.bool)
    for row, classes in enumerate(allowed):
        right[row, list(classes)] = True
    chances = logits.log_softmax(dim=1)
    loss = -chances.masked_fill(~right, float("-inf")).logsumexp(dim=1).mean()
    if pairs and margin_weight:
        odds = credit_odds(logits)
        better, worse = (torch.tensor(column, device=logits.device) for column in zip(*pairs, strict=True))
        loss = loss + margin_weight * nn.functional.softplus(2.0 - (odds[better] - odds[worse])).mean()
    return loss
