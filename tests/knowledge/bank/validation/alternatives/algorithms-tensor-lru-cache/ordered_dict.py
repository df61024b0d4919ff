from collections import OrderedDict

import torch


class TensorLRU:
    def __init__(self, capacity, shape, dtype=torch.float32):
        if capacity < 1:
            raise ValueError(capacity)
        self.values = torch.empty((capacity, *shape), dtype=dtype)
        self.row_of = OrderedDict()
        self.free = list(range(capacity))

    def get(self, key):
        if key not in self.row_of:
            return None
        self.row_of.move_to_end(key)
        return self.values[self.row_of[key]].clone()

    def put(self, key, value):
        if value.shape != self.values.shape[1:]:
            raise ValueError(value.shape)
        if key in self.row_of:
            self.row_of.move_to_end(key)
        else:
            if not self.free:
                self.free.append(self.row_of.popitem(last=False)[1])
            self.row_of[key] = self.free.pop()
        self.values[self.row_of[key]].copy_(value.detach())

    def remove(self, key):
        row = self.row_of.pop(key, None)
        if row is not None:
            self.free.append(row)

    def __len__(self):
        return len(self.row_of)
