import copy

import torch
from torch import nn


class EMA(nn.Module):
    """An exponential moving average of a model, for evaluation."""

    def __init__(self, model, decay=0.999):
        super().__init__()
        self.decay = decay
        self.register_buffer("step", torch.tensor(0))
        self.module = copy.deepcopy(model)
        self.module.requires_grad_(False)
        self.module.zero_grad()
        self.module.eval()

    def train(self, mode=True):
        self.training = mode
        return self

    def update(self, model):
        t = int(self.step)
        weight = 1 - min(self.decay, (1 + t) / (10 + t))
        averages = dict(self.module.named_parameters(remove_duplicate=False))
        state = model.state_dict()
        for name, average in averages.items():
            state[name] = average + weight * (state[name] - average)
        self.module.load_state_dict(state)
        for mine, new in zip(self.module.buffers(), model.buffers()):
            mine.data.copy_(new.data)
        self.step.add_(1)
