import math

import torch


@torch.no_grad()
def clip_by_norm(parameters, max_norm):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    if not math.isfinite(norm):
        raise FloatingPointError(f"the norm is {norm}")
    if norm > max_norm:
        for g in gradients:
            g *= max_norm / norm
    return norm


@torch.no_grad()
def clip_by_value(parameters, limit):
    for p in parameters:
        if p.grad is not None:
            torch.clamp(p.grad, -limit, limit, out=p.grad)
