"""Linear layers of frozen int8 weights that gradients pass through, and low-rank changes beside them.

The product is the one that vLLM serves (W8A8: one scale for each output channel, activations rounded token by token),
so what is fitted meets the rounding that it will be read with. Gradients are rounded in the same way and multiplied by
the same weights (SwitchBack, Wortsman et al. 2023), which on two cores with VNNI takes 0.6 of the time of bfloat16.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from serving.arrays import FloatArray
from serving.models.quantize import int8_per_channel

_SMALLEST = 1e-20
_LEVELS = 127.0


def rounded(values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Round rows to int8 with one symmetric scale a row.

    Args:
        values: [n, k], any float type.

    Returns:
        [n, k] int8 and the scales, [n, 1] float32: ``values ≈ rounded * scale``.

    """
    wide = values.float()
    scale = wide.abs().amax(dim=1, keepdim=True).clamp(min=_SMALLEST) / _LEVELS
    return (wide / scale).round().to(torch.int8), scale


def _rounded_gradient(gradient: torch.Tensor, channels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return rounded(gradient.float() * channels)


def _scaled(product: torch.Tensor, rows: torch.Tensor, channels: torch.Tensor) -> torch.Tensor:
    return (product.float() * rows * channels).bfloat16()


def _scaled_rows(product: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    return (product.float() * rows).bfloat16()


class _Kernels:
    """The passes over memory around a product; compiled they take a third of the time."""

    rounded = staticmethod(rounded)
    rounded_gradient = staticmethod(_rounded_gradient)
    scaled = staticmethod(_scaled)
    scaled_rows = staticmethod(_scaled_rows)


def compile_kernels() -> None:
    """Have the passes around the products compiled at their first use; needs a C++ compiler and a minute."""
    for name, plain in (
        ("rounded", rounded),
        ("rounded_gradient", _rounded_gradient),
        ("scaled", _scaled),
        ("scaled_rows", _scaled_rows),
    ):
        setattr(_Kernels, name, staticmethod(torch.compile(plain, dynamic=True)))


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, given: torch.Tensor, weight: torch.Tensor, channels: torch.Tensor) -> torch.Tensor:
        """[n, in] times [out, in] int8, [n, out]; ``channels`` are the scales of the outputs, [1, out]."""
        ctx.save_for_backward(weight, channels)
        small, rows = _Kernels.rounded(given)
        return _Kernels.scaled(torch._int_mm(small, weight.t()), rows, channels)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, None, None]:
        weight, channels = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None, None
        small, rows = _Kernels.rounded_gradient(gradients[0], channels)
        return _Kernels.scaled_rows(torch._int_mm(small, weight), rows), None, None


class Int8Linear(nn.Module):
    """A linear layer of frozen int8 weights.

    Args:
        weight: [out, in] int8.
        scale: of each output channel, ``out`` numbers float32.
        bias: [out] bfloat16, or none.

    """

    weight: torch.Tensor
    channels: torch.Tensor
    bias: torch.Tensor | None

    def __init__(self, weight: torch.Tensor, scale: torch.Tensor, bias: torch.Tensor | None) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("channels", scale.float().reshape(1, -1))
        self.register_buffer("bias", bias)
        self.out_features, self.in_features = weight.shape

    @classmethod
    def of(cls, plain: nn.Linear) -> Int8Linear:
        """A linear layer, its weights rounded."""
        bias = None if plain.bias is None else plain.bias.detach()
        return cls(*int8_per_channel(plain.weight.detach().float()), bias)

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """[n, in] bfloat16 to [n, out] bfloat16."""
        result: torch.Tensor = _Product.apply(given, self.weight, self.channels)  # type: ignore[no-untyped-call]
        return result if self.bias is None else result + self.bias


class LowRank(nn.Module):
    """A frozen layer and a change of low rank beside it: ``base(x) + strength * up(down(x))`` (LoRA, Hu et al. 2021).

    Args:
        base: an ``Int8Linear`` or ``nn.Linear``.
        rank: of the change.
        strength: factor of the change (alpha over rank).

    """

    def __init__(self, base: Any, rank: int, strength: float) -> None:
        super().__init__()
        wide, narrow, device = base.out_features, base.in_features, base.weight.device
        self.base, self.strength = base, strength
        self.down = nn.Parameter(torch.randn(rank, narrow, device=device) / math.sqrt(narrow))
        self.up = nn.Parameter(torch.zeros(wide, rank, device=device))

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """[n, in] to [n, out]."""
        narrow = given @ self.down.to(given.dtype).T
        result: torch.Tensor = self.base(given) + (self.strength * narrow) @ self.up.to(given.dtype).T
        return result

    def change(self) -> FloatArray:
        """What is to be added to the layer's weight, [out, in] float32."""
        result: FloatArray = (self.strength * (self.up @ self.down)).detach().cpu().float().numpy()
        return result
