import torch
from torch import nn


def train_step(model, optimizer, scheduler, scaler, loss_fn, x, y, dtype, max_norm):
    optimizer.zero_grad()
    with torch.autocast(x.device.type, dtype=dtype):
        output = model(x)
    with torch.autocast(x.device.type, dtype=dtype):
        loss = loss_fn(output, y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    try:
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm, error_if_nonfinite=True).item()
    except RuntimeError:
        scaler.update()
        return loss.item(), float("nan"), False
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
    return loss.item(), norm, True
