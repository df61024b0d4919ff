import torch


class RingBuffer:
    """Each row stands twice, a capacity apart, so that the latest rows always lie side by side."""

    def __init__(self, capacity, shape):
        self.data = torch.zeros(2 * capacity, *shape)
        self.capacity, self.next, self.held = capacity, 0, 0

    def push(self, rows):
        rows = rows.detach()
        if len(rows) > self.capacity:
            rows = rows[len(rows) - self.capacity :]
        places = torch.remainder(torch.arange(self.next, self.next + len(rows)), self.capacity)
        self.data.index_copy_(0, places, rows)
        self.data.index_copy_(0, places + self.capacity, rows)
        self.next = (self.next + len(rows)) % self.capacity
        self.held = min(self.capacity, self.held + len(rows))

    def latest(self, n):
        if n > self.held:
            raise ValueError(f"only {self.held} rows")
        end = self.next + self.capacity
        return self.data[end - n : end].clone()

    def __len__(self):
        return self.held
