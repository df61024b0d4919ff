import torch
import torch.nn.functional as F
from torch import nn


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads, hidden, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.drop = nn.Dropout(dropout)
        self.norm1, self.qkv, self.out = nn.LayerNorm(dim), nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.norm2, self.up, self.down = nn.LayerNorm(dim), nn.Linear(dim, hidden), nn.Linear(hidden, dim)

    def forward(self, x, padding):
        batch, time, dim = x.shape
        bias = torch.zeros(batch, 1, 1, time, dtype=x.dtype).masked_fill_(padding[:, None, None], -torch.inf)
        heads = self.qkv(self.norm1(x)).view(batch, time, 3, self.heads, -1).transpose(1, 3)
        q, k, v = heads[:, :, 0], heads[:, :, 1], heads[:, :, 2]
        rate = self.drop.p if self.drop.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=rate)
        x = x + self.drop(self.out(y.transpose(1, 2).reshape(batch, time, dim)))
        return x + self.drop(self.down(self.drop(F.gelu(self.up(self.norm2(x))))))
