from copy import deepcopy

import torch
from torch import nn


class EMA(nn.Module):
    """An exponential moving average of a model, for evaluation."""

    def __init__(self, model, decay=0.999):
        super().__init__()
        self.module = deepcopy(model)
        self.decay = decay
        self.updates = 0
        for p in self.module.parameters():
            p.requires_grad = False
            p.grad = None
        self.eval()

    def train(self, mode=True):
        super().train(mode)
        self.module.eval()
        return self

    def get_extra_state(self):
        return {"updates": self.updates}

    def set_extra_state(self, state):
        self.updates = state["updates"]

    def update(self, model):
        d = min(self.decay, (1 + self.updates) / (10 + self.updates))
        averages = list(self.module.parameters())
        targets = list(model.parameters())
        with torch.no_grad():
            if averages:
                torch._foreach_mul_(averages, d)
                torch._foreach_add_(averages, targets, alpha=1 - d)
            for mine, theirs in zip(self.module.buffers(), model.buffers(), strict=True):
                mine.copy_(theirs)
        self.updates += 1
