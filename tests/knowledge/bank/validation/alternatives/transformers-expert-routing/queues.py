"""The queues are kept in a dictionary, choice by choice."""

from collections import defaultdict

import torch


def route(logits, k, capacity):
    best = torch.topk(logits, k, dim=-1, sorted=True)
    kept = torch.zeros(best.indices.shape, dtype=torch.bool)
    served = defaultdict(int)
    for choice in range(k):
        for token, expert in enumerate(best.indices[:, choice].tolist()):
            if served[expert] < capacity:
                served[expert] += 1
                kept[token, choice] = True
    return best.indices, torch.softmax(best.values, dim=-1), kept


def moe(x, logits, experts, k, capacity):
    chosen, weights, kept = route(logits, k, capacity)
    total = 0.0 * x
    for number, expert in enumerate(experts):
        mine = (chosen == number) & kept
        rows = mine.any(dim=1)
        if rows.any():
            gate = torch.where(mine, weights, torch.zeros_like(weights)).sum(1)[rows]
            total = total.index_put((rows.nonzero()[:, 0],), gate[:, None] * expert(x[rows]), accumulate=True)
    return total


def balance_loss(logits, k):
    n = logits.shape[1]
    chosen = logits.argsort(dim=-1, descending=True)[:, :k]
    share = torch.stack([(chosen == e).to(logits.dtype).mean() for e in range(n)])
    return n * torch.dot(share, torch.softmax(logits, -1).mean(0))
