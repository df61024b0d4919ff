import math

import torch


class KVCache:
    def __init__(self, batch, kv_heads, max_length, dim, dtype=torch.float32):
        self.k = torch.zeros((batch, kv_heads, max_length, dim), dtype=dtype)
        self.v = torch.zeros((batch, kv_heads, max_length, dim), dtype=dtype)
        self.length, self.most = 0, max_length

    def append(self, k, v):
        count = k.size(2)
        if count > self.most - self.length:
            raise ValueError(f"no room for {count} tokens")
        with torch.no_grad():
            self.k.narrow(2, self.length, count).copy_(k)
            self.v.narrow(2, self.length, count).copy_(v)
        self.length += count
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)


def cached_attention(q, k, v, cache):
    heads, shared = q.size(1), k.size(1)
    if heads % shared:
        raise ValueError("the number of query heads is no multiple of that of key heads")
    keys, values = cache.append(k, v)
    first = cache.length - q.size(2)
    out = torch.empty_like(q)
    for head in range(heads):
        own = head // (heads // shared)
        for i in range(q.size(2)):
            seen = first + i + 1
            scores = keys[:, own, :seen] @ q[:, head, i, :, None] / math.sqrt(q.size(3))
            out[:, head, i] = (scores.softmax(dim=1) * values[:, own, :seen]).sum(dim=1)
    return out
