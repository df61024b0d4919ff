import torch


class RingBuffer:
    def __init__(self, capacity, shape):
        self.data = torch.zeros(capacity, *shape)
        self.end = 0
        self.count = 0

    def push(self, rows):
        room = len(self.data)
        rows = rows.detach()[max(len(rows) - room, 0) :]
        while len(rows):
            piece = rows[: room - self.end]
            self.data[self.end : self.end + len(piece)].copy_(piece)
            self.end = (self.end + len(piece)) % room
            self.count = min(self.count + len(piece), room)
            rows = rows[len(piece) :]

    def latest(self, n):
        if not 0 <= n <= self.count:
            raise ValueError("not as many rows")
        places = [(self.end - 1 - back) % len(self.data) for back in range(n)][::-1]
        return self.data[torch.tensor(places, dtype=torch.long)]

    def __len__(self):
        return self.count
