import copy

import torch
from torch import nn


class EMA(nn.Module):
    """An exponential moving average of a model, for evaluation."""

    def __init__(self, model, decay=0.999):
        super().__init__()
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.module.zero_grad(set_to_none=True)
        self.decay = decay
        self.register_buffer("updates", torch.zeros((), dtype=torch.long))

    def train(self, mode=True):
        return super().train(False)

    @torch.no_grad()
    def update(self, model):
        t = self.updates.item()
        d = min(self.decay, (1 + t) / (10 + t))
        current = dict(model.named_parameters())
        for name, average in self.module.named_parameters():
            average.lerp_(current[name], 1 - d)
        current = dict(model.named_buffers())
        for name, buffer in self.module.named_buffers():
            buffer.copy_(current[name])
        self.updates += 1
