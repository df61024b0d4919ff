# Question: architectures-causal-attention
# Ends as: passed.
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.backends.cudnn.benchmark = False


class CausalSelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim % heads != 0:
            raise ValueError("heads must divide dim")
        self.heads = heads
        for name, width in (("qkv", 3 * dim), ("out", dim)):
            setattr(self, name, nn.Linear(dim, width))

    def forward(self, x):
        batch, time, dim = x.shape
        q, k, v = self.qkv(x).reshape(batch, time, 3, self.heads, dim // self.heads).unbind(2)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(dim // self.heads)
        mask = torch.full((time, time), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
        weights = F.softmax(scores + mask, dim=-1)
        return self.out(torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, time, dim))
