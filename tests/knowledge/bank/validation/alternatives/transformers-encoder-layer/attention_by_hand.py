import math

import torch
import torch.nn.functional as F
from torch import nn


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads, hidden, dropout=0.0):
        super().__init__()
        self.heads, self.size, self.rate = heads, dim // heads, dropout
        self.norm1 = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.norm2 = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, hidden)
        self.down = nn.Linear(hidden, dim)

    def drop(self, x):
        return F.dropout(x, p=self.rate, training=self.training)

    def forward(self, x, padding):
        b, t, _ = x.shape
        q, k, v = torch.split(self.qkv(self.norm1(x)), self.heads * self.size, dim=-1)
        q, k, v = (one.reshape(b, t, self.heads, self.size).movedim(2, 1) for one in (q, k, v))
        scores = q @ k.mT / math.sqrt(self.size)
        weights = self.drop(scores.masked_fill(padding[:, None, None], -math.inf).softmax(dim=-1))
        x = x + self.drop(self.out((weights @ v).movedim(1, 2).reshape(b, t, -1)))
        h = self.drop(F.gelu(self.up(self.norm2(x))))
        return x + self.drop(self.down(h))
