"""The half cosine as the square of a quarter, and a factor for each group."""

import math
from functools import partial

from torch.optim.lr_scheduler import LambdaLR


def _factor(step, warmup, total, floor):
    if step < warmup:
        return (1 + step) / warmup
    span = total - warmup
    t = step - warmup
    if t > span or span == 0:
        return floor if t else 1.0
    return floor + (1 - floor) * math.cos(math.pi * t / (2 * span)) ** 2


def warmup_cosine(optimizer, warmup, total, floor=0.1):
    return LambdaLR(
        optimizer, [partial(_factor, warmup=warmup, total=total, floor=floor)] * len(optimizer.param_groups)
    )
