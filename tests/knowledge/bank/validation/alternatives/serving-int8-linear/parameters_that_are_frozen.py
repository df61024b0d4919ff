import torch
from torch import nn


class Int8Linear(nn.Module):
    def __init__(self, inputs, outputs, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs, dtype=torch.int8), requires_grad=False)
        self.scale = nn.Parameter(torch.ones(outputs, 1), requires_grad=False)
        self.bias = nn.Parameter(torch.zeros(outputs), requires_grad=False) if bias else None

    @classmethod
    def from_float(cls, linear):
        made = cls(linear.in_features, linear.out_features, linear.bias is not None)
        weight = linear.weight.detach().float()
        made.scale.data = weight.abs().amax(1, keepdim=True).clamp(min=1e-30) / 127
        made.weight.data = torch.round(weight / made.scale).clamp(-127, 127).to(torch.int8)
        if made.bias is not None:
            made.bias.data = linear.bias.detach().clone()
        return made

    def forward(self, x):
        flat = x.detach().reshape(-1, x.shape[-1]).float()
        scale = flat.abs().amax(1, keepdim=True).clamp(min=1e-30) / 127
        q = torch.round(flat / scale).to(torch.int32)
        y = (q @ self.weight.to(torch.int32).t()) * scale * self.scale.t()
        if self.bias is not None:
            y = y + self.bias
        return y.to(x.dtype).reshape(*x.shape[:-1], -1)
