import torch.nn.functional as F
from torch import nn


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads, hidden, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, hidden), nn.Linear(hidden, dim)
        self.act, self.drop1, self.drop2, self.drop3 = nn.GELU(), *(nn.Dropout(dropout) for _ in range(3))
        self.p = dropout

    def forward(self, x, padding):
        q, k, v = self.qkv(self.norm1(x)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        mask = padding.logical_not().unsqueeze(1).unsqueeze(1)
        a = F.scaled_dot_product_attention(q, k, v, mask, self.p if self.training else 0.0)
        x = x + self.drop1(self.out(a.transpose(1, 2).flatten(2)))
        return x + self.drop3(self.down(self.drop2(self.act(self.up(self.norm2(x))))))
