"""One frequency after the other, as the question says it."""

import math

import torch


def frequencies(dim, base=10000.0, factor=1.0, original=8192, low=1.0, high=4.0):
    if dim % 2 == 1:
        raise ValueError("odd")
    found = []
    for i in range(dim // 2):
        f = base ** (-2 * i / dim)
        r = original / (2 * math.pi / f)
        if r < low:
            f = f / factor
        elif r <= high:
            s = (r - low) / (high - low)
            f = s * f + (1 - s) * f / factor
        found.append(f)
    return torch.tensor(found, dtype=torch.float32)


def tables(positions, freqs, dtype=torch.float32):
    angles = torch.outer(positions.to(torch.float32), freqs)
    return torch.cos(angles).to(dtype), torch.sin(angles).to(dtype)
