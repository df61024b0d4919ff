import torch


class TensorLRU:
    def __init__(self, capacity, shape, dtype=torch.float32):
        if not capacity > 0:
            raise ValueError("no room")
        self.capacity = capacity
        self.values = torch.zeros((capacity,) + tuple(shape), dtype=dtype)
        self.rows, self.unused = {}, set(range(capacity))

    def __len__(self):
        return len(self.rows)

    def get(self, key):
        try:
            row = self.rows.pop(key)
        except KeyError:
            return None
        self.rows[key] = row
        return self.values[row].detach().clone()

    def put(self, key, value):
        if value.shape != self.values[0].shape:
            raise ValueError("wrong shape")
        row = self.rows.pop(key, None)
        if row is None and self.unused:
            row = self.unused.pop()
        elif row is None:
            row = self.rows.pop(next(iter(self.rows)))
        self.rows[key] = row
        self.values[row] = value.detach()

    def remove(self, key):
        if key in self.rows:
            self.unused.add(self.rows.pop(key))
