import torch


class Ring:
    def __init__(self, ranks):
        self.ranks, self.sent = ranks, [0] * ranks

    def exchange(self, messages):
        for r, message in enumerate(messages):
            self.sent[r] += message.numel()
        return [messages[r - 1].clone() for r in range(self.ranks)]


def split(tensor, parts):
    flat = tensor.flatten()
    size = -(-flat.numel() // parts)
    padded = flat.new_zeros(size * parts)
    padded[: flat.numel()] = flat
    return [padded[i * size : (i + 1) * size].clone() for i in range(parts)]


def reduce_scatter(ring, tensors):
    """Rank r's sum of chunk r."""
    n = ring.ranks
    chunks = [split(t, n) for t in tensors]
    for step in range(1, n):
        received = ring.exchange([chunks[r][(r - step) % n] for r in range(n)])
        for r in range(n):
            chunks[r][(r - step - 1) % n] += received[r]
    return [chunks[r][r] for r in range(n)]


def all_gather(ring, chunks):
    """All chunks in one flat tensor, for each rank."""
    n = ring.ranks
    table = [[None] * n for _ in range(n)]
    for r in range(n):
        table[r][r] = chunks[r]
    for step in range(n - 1):
        received = ring.exchange([table[r][(r - step) % n] for r in range(n)])
        for r in range(n):
            table[r][(r - step - 1) % n] = received[r]
    return [torch.cat(row) for row in table]


def all_reduce(ring, tensors):
    """The sum over the ranks, for each rank."""
    gathered = all_gather(ring, reduce_scatter(ring, tensors))
    return [g[: t.numel()].reshape(t.shape).clone() for g, t in zip(gathered, tensors)]
