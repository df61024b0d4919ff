"""One number: the steps consumed since the beginning of the run."""

import torch


class Batches:
    def __init__(self, size, batch, rank=0, world=1, seed=0):
        if batch % world != 0:
            raise ValueError("batch must be a multiple of world")
        self.size, self.batch, self.seed = size, batch, seed
        self.piece = slice(rank * (batch // world), (rank + 1) * (batch // world))
        self.total = 0

    def __len__(self):
        return self.size // self.batch

    def __iter__(self):
        epoch, step = divmod(self.total, len(self)) if len(self) else (0, 0)
        generator = torch.Generator()
        generator.manual_seed(self.seed + epoch)
        steps = torch.randperm(self.size, generator=generator)[: len(self) * self.batch].view(len(self), self.batch)
        for row in steps[step:]:
            self.total += 1
            yield [int(i) for i in row[self.piece]]

    def state_dict(self):
        return {"steps": self.total}

    def load_state_dict(self, state):
        self.total = state["steps"]
