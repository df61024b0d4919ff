"""Three cases chosen by torch.where, in float32."""

import math

import torch


def frequencies(dim, base=10000.0, factor=1.0, original=8192, low=1.0, high=4.0):
    if dim & 1:
        raise ValueError(dim)
    f = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
    wavelength = 2 * math.pi / f
    s = (original / wavelength - low) / (high - low)
    blended = s * f + (1 - s) * f / factor
    fast, slow = wavelength < original / high, wavelength > original / low
    return torch.where(fast, f, torch.where(slow, f / factor, blended))


def tables(positions, freqs, dtype=torch.float32):
    angles = positions.double().unsqueeze(1) * freqs.double().unsqueeze(0)
    return angles.cos().to(dtype), angles.sin().to(dtype)
