import torch


class RingBuffer:
    def __init__(self, capacity, shape):
        self.data = torch.empty((capacity, *shape))
        self.capacity, self.written = capacity, 0

    @torch.no_grad()
    def push(self, rows):
        skipped = max(0, len(rows) - self.capacity)
        rows = rows[skipped:]
        start = (self.written + skipped) % self.capacity
        first = min(len(rows), self.capacity - start)
        self.data[start : start + first] = rows[:first]
        self.data[: len(rows) - first] = rows[first:]
        self.written += skipped + len(rows)

    def latest(self, n):
        if n < 0 or n > len(self):
            raise ValueError(n)
        end = self.written % self.capacity
        begin = end - n
        if begin >= 0:
            return self.data[begin:end].clone()
        return torch.cat([self.data[begin:], self.data[:end]])

    def __len__(self):
        return min(self.written, self.capacity)
