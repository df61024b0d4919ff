import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads, dropout=0.0):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        rate = self.dropout * self.training
        mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=rate, is_causal=True)
        return self.out(mixed.transpose(1, 2).flatten(2)).to(x.dtype)
