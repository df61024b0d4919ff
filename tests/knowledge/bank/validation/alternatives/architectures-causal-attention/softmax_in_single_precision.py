import math

import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.size, rest = divmod(dim, heads)
        if rest:
            raise ValueError("heads must divide dim")
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        parts = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (-1, self.size)).transpose(-3, -2) for part in parts)
        scores = q @ k.mT / math.sqrt(self.size)
        scores = scores + torch.full(scores.shape[-2:], -torch.inf, dtype=x.dtype).triu(1)
        precise = torch.promote_types(x.dtype, torch.float32)
        weights = torch.softmax(scores, dim=-1, dtype=precise).to(x.dtype)
        return self.out((weights @ v).transpose(-3, -2).flatten(-2))
