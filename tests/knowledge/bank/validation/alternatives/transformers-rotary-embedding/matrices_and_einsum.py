import math

import torch


def apply_rotary(q, k, offset=0, base=10000.0):
    """Queries and keys turned by their positions, which begin at `offset`."""
    *_, length, dim = q.shape
    if dim % 2 != 0:
        raise ValueError(f"odd dim {dim}")
    half = dim // 2
    dtype = torch.float64 if q.dtype is torch.float64 else torch.float32
    options = {"dtype": dtype, "device": q.device}
    frequencies = torch.tensor([math.pow(base, -2 * i / dim) for i in range(half)], **options)
    positions = torch.arange(offset, offset + length, **options)
    angles = positions[:, None] * frequencies[None, :]
    cos, sin = torch.cos(angles), torch.sin(angles)
    rows = [torch.stack([cos, -sin]), torch.stack([sin, cos])]
    matrices = torch.stack(rows)

    def turned(x):
        pairs = x.to(dtype).reshape(*x.shape[:-1], 2, half)
        result = torch.einsum("abli,...lbi->...lai", matrices, pairs)
        return result.reshape(x.shape).to(x.dtype)

    return turned(q), turned(k)
