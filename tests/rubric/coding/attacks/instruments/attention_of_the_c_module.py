# Question: architectures-causal-attention
# Ends as: forbidden.
import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim % heads:
            raise ValueError("heads")
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        batch, time, dim = x.shape
        q, k, v = (p.view(batch, time, self.heads, -1).transpose(1, 2) for p in self.qkv(x).chunk(3, dim=-1))
        y = torch._C._nn.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, time, dim))
