from collections import OrderedDict

import torch


class TensorLRU:
    def __init__(self, capacity, shape, dtype=torch.float32):
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, not {capacity}")
        self.values = torch.zeros(capacity, *shape, dtype=dtype)
        self.rows = OrderedDict()  # key -> row, least recently used first
        self.free = list(range(capacity))

    def get(self, key):
        row = self.rows.get(key)
        if row is None:
            return None
        self.rows.move_to_end(key)
        return self.values[row].clone()

    @torch.no_grad()
    def put(self, key, value):
        if value.shape != self.values.shape[1:]:
            raise ValueError(f"a value has shape {tuple(self.values.shape[1:])}, not {tuple(value.shape)}")
        if key in self.rows:
            self.rows.move_to_end(key)
        else:
            row = self.free.pop() if self.free else self.rows.popitem(last=False)[1]
            self.rows[key] = row
        self.values[self.rows[key]] = value

    def remove(self, key):
        row = self.rows.pop(key, None)
        if row is not None:
            self.free.append(row)

    def __len__(self):
        return len(self.rows)