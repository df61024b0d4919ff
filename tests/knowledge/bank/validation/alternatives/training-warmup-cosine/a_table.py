"""All factors up to the end are computed beforehand."""

import torch
from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(optimizer, warmup, total, floor=0.1):
    ramp = [(i + 1) / warmup for i in range(warmup)]
    n = total - warmup
    k = torch.arange(n + 1, dtype=torch.float64)
    decay = (floor + (1 - floor) * 0.5 * (1 + torch.cos(torch.pi * k / max(n, 1)))).tolist()
    table = ramp + decay

    def factor(step):
        return table[step] if step < len(table) else floor

    return LambdaLR(optimizer, factor)
