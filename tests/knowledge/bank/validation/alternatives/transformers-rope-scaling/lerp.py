"""Logarithms for the powers, torch.lerp for the blend."""

import math

import torch


def frequencies(dim, base=10000.0, factor=1.0, original=8192, low=1.0, high=4.0):
    pairs, rest = divmod(dim, 2)
    if rest:
        raise ValueError(f"dim is {dim}")
    plain = torch.exp(torch.arange(pairs, dtype=torch.float64) * (-2 * math.log(base) / dim))
    turns = plain * original / math.tau
    weight = torch.clamp((turns - low) / (high - low), min=0.0, max=1.0)
    return torch.lerp(plain / factor, plain, weight).to(torch.float32)


def tables(positions, freqs, dtype=torch.float32):
    angles = torch.einsum("p,f->pf", positions.float(), freqs)
    turned = torch.polar(torch.ones_like(angles), angles)
    return turned.real.to(dtype), turned.imag.to(dtype)
