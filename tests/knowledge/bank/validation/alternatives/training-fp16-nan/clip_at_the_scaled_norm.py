import torch
import torch.nn.functional as F
from torch import nn


def train_step(model, optimizer, scaler, x, y, max_norm=1.0):
    optimizer.zero_grad()
    with torch.autocast(x.device.type, dtype=torch.float16):
        loss = F.mse_loss(model(x), y)
    scaler.scale(loss).backward()
    # gradients are still scaled, so the bound is scaled as well; step() unscales them and skips inf and NaN
    nn.utils.clip_grad_norm_(model.parameters(), max_norm * scaler.get_scale())
    scaler.step(optimizer)
    scaler.update()
    return loss.item()
