"""The table holds one slot number a token, and a counter tells how many sequences use a block."""

from collections import Counter

import torch


class PagedCache:
    def __init__(self, blocks, block_size, heads, dim, dtype=torch.float32):
        self.keys = torch.empty(blocks, block_size, heads, dim, dtype=dtype)
        self.values = torch.empty(blocks, block_size, heads, dim, dtype=dtype)
        self.blocks, self.size = blocks, block_size
        self.slots = {}
        self.used = Counter()

    @property
    def free_blocks(self):
        return self.blocks - len(+self.used)

    def append(self, name, k, v):
        slots = list(self.slots.get(name, ()))
        filled = len(slots) % self.size
        copies = bool(filled and len(k) and self.used[slots[-1] // self.size] > 1)
        needed = (len(slots) + len(k) + self.size - 1) // self.size - (len(slots) + self.size - 1) // self.size
        if needed + copies > self.free_blocks:
            raise MemoryError("no blocks left")
        if copies:
            old, new = slots[-1] // self.size, self.fresh()
            self.keys[new].copy_(self.keys[old])
            self.values[new].copy_(self.values[old])
            self.used[old] -= 1
            slots[-filled:] = [new * self.size + at for at in range(filled)]
        for key, value in zip(k, v):
            at = len(slots) % self.size
            block = slots[-1] // self.size if at else self.fresh()
            self.keys[block, at], self.values[block, at] = key, value
            slots.append(block * self.size + at)
        self.slots[name] = slots

    def fresh(self):
        block = next(number for number in range(self.blocks) if not self.used[number])
        self.used[block] = 1
        return block

    def read(self, name):
        slots = torch.tensor(self.slots[name], dtype=torch.long)
        return self.keys.flatten(0, 1)[slots], self.values.flatten(0, 1)[slots]

    def fork(self, name, copy):
        if name not in self.slots:
            raise KeyError(name)
        if copy in self.slots:
            raise ValueError(copy)
        self.slots[copy] = list(self.slots[name])
        self.used.update({slot // self.size for slot in self.slots[name]})

    def free(self, name):
        self.used.subtract({slot // self.size for slot in self.slots.pop(name)})
