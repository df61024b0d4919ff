import torch
import torch.nn.functional as F


class KVCache:
    def __init__(self, batch, kv_heads, max_length, dim, dtype=torch.float32):
        self.held = torch.empty(2, batch, kv_heads, max_length, dim, dtype=dtype)
        self.length = 0

    def append(self, k, v):
        new = k.shape[2]
        if self.length + new > self.held.shape[3]:
            raise ValueError("the cache is full")
        place = slice(self.length, self.length + new)
        self.held[0, :, :, place].copy_(k.detach())
        self.held[1, :, :, place].copy_(v.detach())
        self.length += new
        return self.held[0, :, :, : self.length], self.held[1, :, :, : self.length]


def cached_attention(q, k, v, cache):
    if q.shape[1] % k.shape[1] != 0:
        raise ValueError("heads cannot be shared evenly")
    keys, values = cache.append(k, v)
    new, total = q.shape[2], keys.shape[2]
    mask = torch.ones(new, total, dtype=torch.bool).tril(total - new)
    return F.scaled_dot_product_attention(q, keys, values, attn_mask=mask, enable_gqa=True)
