import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads, dropout=0.0):
        super().__init__()
        self.heads, self.dropout, self.drop = heads, dropout, nn.Dropout(dropout)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads).transpose(1, 3).unbind(2)
        rate = self.drop.p if self.drop.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=rate)
        return self.out(y.transpose(1, 2).contiguous().view(batch, length, width))
