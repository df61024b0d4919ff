import torch


class Ring:
    def __init__(self, ranks):
        self.ranks, self.sent = ranks, [0] * ranks

    def exchange(self, messages):
        for r, message in enumerate(messages):
            self.sent[r] += message.numel()
        return [messages[r - 1].clone() for r in range(self.ranks)]


def run(ring, workers):
    """Runs one generator per rank: each yields what it sends and is given what it receives."""
    messages, results = [next(worker) for worker in workers], []
    while len(results) < ring.ranks:
        received = ring.exchange(messages)
        messages = []
        for worker, message in zip(workers, received):
            try:
                messages.append(worker.send(message))
            except StopIteration as stop:
                results.append(stop.value)
    return results


def scatter_worker(rank, ranks, tensor):
    flat = tensor.reshape(-1)
    rows = torch.nn.functional.pad(flat, (0, -flat.numel() % ranks)).view(ranks, -1)
    total = rows[rank - 1]
    for back in range(2, ranks + 1):
        received = yield total
        total = received + rows[(rank - back) % ranks]
    return total


def gather_worker(rank, ranks, chunk):
    seen = [chunk]
    for _ in range(ranks - 1):
        seen.append((yield seen[-1]))
    return torch.cat(seen[rank::-1] + seen[:rank:-1])


def reduce_scatter(ring, tensors):
    """Rank r's sum of chunk r."""
    if ring.ranks == 1:
        return [tensors[0].flatten().clone()]
    return run(ring, [scatter_worker(r, ring.ranks, t) for r, t in enumerate(tensors)])


def all_gather(ring, chunks):
    """All chunks in one flat tensor, for each rank."""
    if ring.ranks == 1:
        return [chunks[0].clone()]
    return run(ring, [gather_worker(r, ring.ranks, c) for r, c in enumerate(chunks)])


def all_reduce(ring, tensors):
    """The sum over the ranks, for each rank."""
    gathered = all_gather(ring, reduce_scatter(ring, tensors))
    return [g[: t.numel()].clone().view(t.shape) for g, t in zip(gathered, tensors)]
