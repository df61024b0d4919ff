"""A draft row of zeros behind the proposal makes the free token one more residual."""

import torch


def verify(draft, target, tokens, uniforms):
    padded = torch.cat([draft, torch.zeros(1, target.shape[1], dtype=target.dtype)])
    kept = 0
    while kept < len(tokens):
        token = tokens[kept]
        if not bool(uniforms[kept] * padded[kept, token] < target[kept, token]):
            break
        kept += 1
    residual = torch.clamp(target[kept] - padded[kept], min=0).double()
    residual = residual / residual.sum()
    drawn = int((residual.cumsum(0) <= uniforms[-1].double()).sum())
    return [int(token) for token in tokens[:kept]] + [min(drawn, len(residual) - 1)]


def expected_tokens(rate, k):
    total = 1.0
    for _ in range(k):
        total = 1.0 + rate * total
    return float(total)
