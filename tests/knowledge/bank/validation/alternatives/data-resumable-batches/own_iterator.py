"""The object is its own iterator."""

import torch


class Batches:
    def __init__(self, size, batch, rank=0, world=1, seed=0):
        share, rest = divmod(batch, world)
        if rest:
            raise ValueError(f"{batch} samples for {world} ranks")
        self.size, self.batch, self.seed = size, batch, seed
        self.first, self.last = rank * share, rank * share + share
        self.state = {"epoch": 0, "consumed": 0}
        self.order = None

    def __len__(self):
        return self.size // self.batch

    def __iter__(self):
        self.order = torch.randperm(self.size, generator=torch.Generator().manual_seed(self.seed + self.state["epoch"]))
        return self

    def __next__(self):
        start = self.state["consumed"]
        if start + self.batch > self.size:
            self.state = {"epoch": self.state["epoch"] + 1, "consumed": 0}
            raise StopIteration
        self.state["consumed"] += self.batch
        return self.order[start + self.first : start + self.last].tolist()

    def state_dict(self):
        return dict(self.state)

    def load_state_dict(self, state):
        self.state = dict(state)
