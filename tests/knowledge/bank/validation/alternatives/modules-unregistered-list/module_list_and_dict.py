import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int, classes: dict[str, int]):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.heads = nn.ModuleDict({name: nn.Linear(width, n) for name, n in classes.items()})

    def forward(self, x: torch.Tensor, head: str) -> torch.Tensor:
        x = self.first(x).tanh()
        for block in self.blocks:
            x = block(x).tanh()
        return self.heads[head](x)


def count_parameters(model: nn.Module) -> int:
    """The number of trainable parameters."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
