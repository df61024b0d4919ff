import math

import torch


class EarlyStopping:
    def __init__(self, patience, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best_loss, self.waited, self.kept = math.inf, 0, {}

    def update(self, loss, model):
        improved = self.best_loss - loss > self.min_delta if self.best_loss < math.inf else loss < math.inf
        if improved:
            self.best_loss, self.waited = loss, 0
            self.kept = {name: value.detach().clone() for name, value in model.state_dict().items()}
        else:
            self.waited += 1
        return self.waited >= self.patience

    @torch.no_grad()
    def restore(self, model):
        now = model.state_dict()
        for name, value in self.kept.items():
            now[name].copy_(value)
