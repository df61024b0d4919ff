import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int, classes: dict[str, int]):
        super().__init__()
        self.depth = depth
        self.first = nn.Linear(width, width)
        for i in range(depth):
            self.add_module(f"block_{i}", nn.Linear(width, width))
        for name, n in classes.items():
            self.add_module(self.key(name), nn.Linear(width, n))

    @staticmethod
    def key(head: str) -> str:
        return "head_" + head.replace("%", "%25").replace(".", "%2e")

    def forward(self, x: torch.Tensor, head: str) -> torch.Tensor:
        x = torch.tanh(self.first(x))
        for i in range(self.depth):
            x = torch.tanh(getattr(self, f"block_{i}")(x))
        return getattr(self, self.key(head))(x)


def count_parameters(model: nn.Module) -> int:
    """The number of trainable parameters."""
    sizes = {}
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if p.requires_grad:
                sizes[id(p)] = p.numel()
    return sum(sizes.values())
