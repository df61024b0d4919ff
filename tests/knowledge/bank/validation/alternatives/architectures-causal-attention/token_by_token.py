import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim != heads * (dim // heads):
            raise ValueError((dim, heads))
        self.qkv, self.out, self.heads = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), heads

    def forward(self, x):
        q, k, v = (part.unflatten(2, (self.heads, -1)) for part in self.qkv(x).split(x.shape[-1], -1))
        rows = []
        for at in range(x.shape[1]):
            seen_k, seen_v = k[:, : at + 1], v[:, : at + 1]
            scores = (q[:, at : at + 1] * seen_k).sum(-1, keepdim=True) / k.shape[-1] ** 0.5
            rows.append((scores.softmax(1) * seen_v).sum(1).flatten(1))
        return self.out(torch.stack(rows, 1))
