"""The permutation is split into steps and these into pieces by torch."""

import torch


class Batches:
    def __init__(self, size, batch, rank=0, world=1, seed=0):
        if batch // world * world != batch:
            raise ValueError((batch, world))
        self.settings = size, batch, rank, world, seed
        self.epoch, self.done = 0, 0

    def __len__(self):
        size, batch, *_ = self.settings
        return size // batch

    def __iter__(self):
        size, batch, rank, world, seed = self.settings
        order = torch.randperm(size, generator=torch.Generator().manual_seed(seed + self.epoch))
        for step in list(order.split(batch))[self.done : len(self)]:
            self.done += 1
            yield step.chunk(world)[rank].tolist()
        self.epoch += 1
        self.done = 0

    def state_dict(self):
        return {"epoch": self.epoch, "done": self.done}

    def load_state_dict(self, state):
        self.epoch, self.done = int(state["epoch"]), int(state["done"])
