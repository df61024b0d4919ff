import torch
from torch import nn
from torch.nn import functional as F


class GatedBlock(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        both = torch.cat([self.value(x) + 1, self.gate(x)], dim=-1)
        return F.glu(both, dim=-1) + x
