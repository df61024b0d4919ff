"""Keys and values are two halves of one tensor; users are counted in a tensor as well."""

import torch


class PagedCache:
    def __init__(self, blocks, block_size, heads, dim, dtype=torch.float32):
        self.both = torch.zeros(2, blocks, block_size, heads, dim, dtype=dtype)
        self.keys, self.values = self.both
        self.count = torch.zeros(blocks, dtype=torch.int64)
        self.state = {}

    @property
    def free_blocks(self):
        return int((self.count == 0).sum())

    def append(self, name, k, v):
        table, length = self.state.get(name, (torch.zeros(0, dtype=torch.int64), 0))
        new, size = torch.stack([k, v]), self.both.shape[2]
        room = len(table) * size - length
        missing = max(0, -(-(len(k) - room) // size))
        copy = int(room > 0 and len(k) > 0 and self.count[table[-1]] > 1)
        if missing + copy > self.free_blocks:
            raise MemoryError(name)
        fresh = torch.nonzero(self.count == 0)[: missing + copy, 0]
        self.count[fresh] = 1
        if copy:
            self.both[:, fresh[0]] = self.both[:, table[-1]]
            self.count[table[-1]] -= 1
            table = torch.cat([table[:-1], fresh[:1]])
        table = torch.cat([table, fresh[copy:]])
        at = torch.arange(length, length + len(k))
        self.both[:, table[at // size], at % size] = new
        self.state[name] = table, length + len(k)

    def read(self, name):
        table, length = self.state[name]
        keys, values = self.both[:, table].reshape(2, -1, *self.both.shape[3:])[:, :length].clone()
        return keys, values

    def fork(self, name, copy):
        table, length = self.state[name]
        if copy in self.state:
            raise ValueError("this name is taken")
        self.state[copy] = table.clone(), length
        self.count[table] += 1

    def free(self, name):
        table, _ = self.state.pop(name)
        self.count[table] -= 1
