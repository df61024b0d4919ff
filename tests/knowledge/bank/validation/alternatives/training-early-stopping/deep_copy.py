from copy import deepcopy


class EarlyStopping:
    def __init__(self, patience, min_delta=0.0):
        self.patience = patience
        self.min_delta = min_delta
        self.best = None
        self.since = 0

    def update(self, loss, model):
        limit = float("inf") if self.best is None else self.best[0]
        if loss < limit - self.min_delta:
            self.best = (loss, deepcopy(model.state_dict()))
            self.since = 0
            return False
        self.since += 1
        return self.since >= self.patience

    def restore(self, model):
        if self.best is not None:
            model.load_state_dict(self.best[1])
