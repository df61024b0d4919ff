import torch
from torch import nn


class LoRALinear(nn.Module):
    """What was added is kept, so exactly that is taken out again."""

    def __init__(self, linear, rank, alpha):
        super().__init__()
        if not rank >= 1:
            raise ValueError(f"rank {rank} < 1")
        self.linear = linear
        self.linear.requires_grad_(False)
        self.scale = alpha / rank
        factory = dict(dtype=linear.weight.dtype, device=linear.weight.device)
        self.register_parameter("lora_a", nn.Parameter(torch.rand(rank, linear.in_features, **factory) - 0.5))
        self.register_parameter("lora_b", nn.Parameter(torch.zeros(linear.out_features, rank, **factory)))
        self.register_buffer("added", None, persistent=False)

    def correction(self, x):
        return (x @ self.lora_a.mT) @ self.lora_b.mT * self.scale

    def forward(self, x):
        out = self.linear(x)
        return out if self.added is not None else out + self.correction(x)

    @torch.no_grad()
    def merge(self):
        if self.added is not None:
            return
        # The correction of the unit vectors, a column of the weight each.
        unit = torch.eye(self.linear.in_features, dtype=self.lora_a.dtype, device=self.lora_a.device)
        self.added = self.correction(unit).mT.contiguous()
        self.linear.weight.add_(self.added)

    @torch.no_grad()
    def unmerge(self):
        if self.added is None:
            return
        self.linear.weight.sub_(self.added)
        self.added = None
