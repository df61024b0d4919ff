import math

import torch


def train_step(model, optimizer, scheduler, scaler, loss_fn, x, y, dtype, max_norm):
    for parameter in model.parameters():
        parameter.grad = None
    with torch.autocast(x.device.type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.double().square().sum().item() for gradient in gradients))
    moved = math.isfinite(norm)
    if moved:
        if norm > max_norm:
            for gradient in gradients:
                gradient.mul_(max_norm / norm)
        scaler.step(optimizer)
        scheduler.step()
    scaler.update()
    return float(loss), norm, moved
