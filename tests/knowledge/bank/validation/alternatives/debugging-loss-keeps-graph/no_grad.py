import torch
from torch import nn


@torch.no_grad()
def mean_loss(model, batches):
    model.eval()
    losses = [nn.functional.mse_loss(model(x), y) for x, y in batches]
    return torch.stack(losses).mean()
