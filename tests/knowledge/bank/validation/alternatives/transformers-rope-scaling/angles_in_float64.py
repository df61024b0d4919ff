import math

import torch


def frequencies(dim, base=10000.0, factor=1.0, original=8192, low=1.0, high=4.0):
    if dim % 2:
        raise ValueError
    f = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
    wavelength = 2 * math.pi / f
    r = original / wavelength
    s = (r - low) / (high - low)
    mid = s * f + (1 - s) * f / factor
    return torch.where(r > high, f, torch.where(r < low, f / factor, mid))


def tables(positions, freqs, dtype=torch.float32):
    a = torch.outer(positions.double(), freqs.double())
    return a.cos().to(dtype), a.sin().to(dtype)
