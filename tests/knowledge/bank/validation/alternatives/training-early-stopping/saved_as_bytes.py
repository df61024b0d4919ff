import io

import torch


class EarlyStopping:
    def __init__(self, patience, min_delta=0.0):
        self.limit, self.delta = patience, min_delta
        self.history = []
        self.bytes = None

    def update(self, loss, model):
        best = min((one for one, good in self.history if good), default=float("inf"))
        good = loss + self.delta < best
        self.history.append((loss, good))
        if good:
            file = io.BytesIO()
            torch.save(model.state_dict(), file)
            self.bytes = file.getvalue()
        recent = [good for _, good in self.history[-self.limit :]]
        return len(recent) == self.limit and not any(recent)

    def restore(self, model):
        if self.bytes:
            model.load_state_dict(torch.load(io.BytesIO(self.bytes)))
