"""Each part of the schedule is a case of its own."""

import math

import torch


def warmup_cosine(optimizer, warmup, total, floor=0.1):
    def lr_lambda(step):
        if step < warmup:
            return float(step + 1) / float(warmup)
        if step == warmup:
            return 1.0
        if step >= total:
            return floor
        progress = (step - warmup) / (total - warmup)
        return floor + 0.5 * (1.0 - floor) * (1.0 + math.cos(math.pi * progress))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)
