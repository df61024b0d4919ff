import torch


class Ring:
    def __init__(self, ranks):
        self.ranks, self.sent = ranks, [0] * ranks

    def exchange(self, messages):
        for r, message in enumerate(messages):
            self.sent[r] += message.numel()
        return [messages[r - 1].clone() for r in range(self.ranks)]


def shift(ring, stacked):
    return torch.stack(ring.exchange(list(stacked)))


def reduce_scatter(ring, tensors):
    """Rank r's sum of chunk r."""
    n = ring.ranks
    flat = torch.stack([t.reshape(-1) for t in tensors])
    padding = flat.new_zeros(n, -flat.shape[1] % n)
    chunks = torch.cat([flat, padding], dim=1).view(n, n, -1)
    ranks = torch.arange(n, device=flat.device)
    passing = chunks[ranks, (ranks - 1) % n]
    for step in range(2, n + 1):
        passing = shift(ring, passing) + chunks[ranks, (ranks - step) % n]
    return [row.clone() for row in passing]


def all_gather(ring, chunks):
    """All chunks in one flat tensor, for each rank."""
    n = ring.ranks
    passing = torch.stack(list(chunks))
    ranks = torch.arange(n, device=passing.device)
    result = passing.new_empty(n, n, passing.shape[1])
    result[ranks, ranks] = passing
    for step in range(1, n):
        passing = shift(ring, passing)
        result[ranks, (ranks - step) % n] = passing
    return [rows.flatten().clone() for rows in result]


def all_reduce(ring, tensors):
    """The sum over the ranks, for each rank."""
    shape = tensors[0].shape
    gathered = all_gather(ring, reduce_scatter(ring, tensors))
    return [flat[: shape.numel()].clone().view(shape) for flat in gathered]
