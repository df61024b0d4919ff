import torch
from torch import nn


def _quantised(x):
    largest = x.abs().amax(-1, keepdim=True)
    scale = torch.where(largest > 0, largest, 1.0) / 127
    return torch.round(x / scale).clamp(-127, 127).to(torch.int8), scale


class Int8Linear(nn.Module):
    def __init__(self, weight, scale, bias):
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", bias)

    @classmethod
    @torch.no_grad()
    def from_float(cls, linear):
        weight, scale = _quantised(linear.weight)
        return cls(weight, scale.squeeze(-1), None if linear.bias is None else linear.bias.clone())

    @torch.no_grad()
    def forward(self, x):
        q, scale = _quantised(x.double())
        product = (q.int() @ self.weight.int().T).double()
        y = product * scale * self.scale.double()
        if self.bias is not None:
            y = y + self.bias.double()
        return y.to(x.dtype)
