import torch
from torch import nn


class LoRALinear(nn.Module):
    """Merging keeps the old weight, so that taking the correction out leaves no rounding."""

    def __init__(self, linear, rank, alpha):
        if rank < 1:
            raise ValueError(rank)
        super().__init__()
        linear.weight.requires_grad_(False)
        if linear.bias is not None:
            linear.bias.requires_grad_(False)
        self.linear = linear
        self.scale = alpha / rank
        out_features, in_features = linear.weight.shape
        self.lora_a = nn.Parameter(torch.randn(rank, in_features).to(linear.weight) / rank)
        self.lora_b = nn.Parameter(torch.zeros(out_features, rank).to(linear.weight))
        self.old = None

    def forward(self, x):
        if self.old is not None:
            return self.linear(x)
        narrow = torch.einsum("...i,ri->...r", x * self.scale, self.lora_a)
        return self.linear(x) + torch.einsum("...r,or->...o", narrow, self.lora_b)

    def merge(self):
        if self.old is None:
            with torch.no_grad():
                self.old = self.linear.weight.clone()
                self.linear.weight.copy_(self.old + self.scale * self.lora_b @ self.lora_a)

    def unmerge(self):
        if self.old is not None:
            with torch.no_grad():
                self.linear.weight.copy_(self.old)
            self.old = None
