import torch


class KVCache:
    def __init__(self, batch, kv_heads, max_length, dim, dtype=torch.float32):
        shape = (batch, kv_heads, max_length, dim)
        self.store = [torch.zeros(shape, dtype=dtype), torch.zeros(shape, dtype=dtype)]
        self.length = 0

    @torch.no_grad()
    def append(self, k, v):
        end = self.length + k.shape[-2]
        if end > self.store[0].shape[-2]:
            raise ValueError
        index = torch.arange(self.length, end)
        for buffer, new in zip(self.store, (k, v)):
            buffer.index_copy_(2, index, new)
        self.length = end
        return tuple(buffer[..., :end, :] for buffer in self.store)


def cached_attention(q, k, v, cache):
    group, rest = divmod(q.shape[1], k.shape[1])
    if rest or not group:
        raise ValueError("heads must be a multiple of kv_heads")
    keys, values = (each.repeat_interleave(group, dim=1) for each in cache.append(k, v))
    scores = torch.einsum("bhid,bhjd->bhij", q, keys) * q.shape[-1] ** -0.5
    new, total = scores.shape[-2:]
    future = torch.ones(new, total, dtype=torch.bool).triu(total - new + 1)
    return scores.masked_fill(future, -torch.inf).softmax(dim=-1) @ values
