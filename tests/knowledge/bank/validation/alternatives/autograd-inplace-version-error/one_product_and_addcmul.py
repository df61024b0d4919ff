import torch
from torch import nn
from torch.nn import functional as F


class GatedBlock(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = torch.cat([self.gate.weight, self.value.weight])
        bias = torch.cat([self.gate.bias, self.value.bias])
        logits, value = F.linear(x, weight, bias).chunk(2, dim=-1)
        gate = logits.sigmoid()
        return torch.addcmul(gate + x, value, gate)
