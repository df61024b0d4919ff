"""Choices sorted by expert; a place in the queue is the distance to the expert's first one."""

import torch


def _chosen(logits, k):
    order = logits.argsort(dim=1, descending=True)[:, :k]
    return order, logits.gather(1, order)


def route(logits, k, capacity):
    chosen, values = _chosen(logits, k)
    flat = chosen.t().flatten()
    order = torch.sort(flat, stable=True).indices
    counts = torch.bincount(flat, minlength=logits.shape[1])
    first = counts.cumsum(0) - counts
    place = torch.empty_like(flat)
    place[order] = torch.arange(len(flat)) - first[flat[order]]
    return chosen, values.softmax(1), (place < capacity).reshape(k, len(logits)).t().contiguous()


def moe(x, logits, experts, k, capacity):
    chosen, weights, kept = route(logits, k, capacity)
    parts, rows = [], []
    for e in chosen[kept].unique().tolist():
        token, choice = torch.where((chosen == e) & kept)
        parts.append(experts[e](x[token]) * weights[token, choice].unsqueeze(1))
        rows.append(token)
    out = torch.zeros_like(x)
    return out.scatter_add(0, torch.cat(rows)[:, None].expand(-1, x.shape[1]), torch.cat(parts)) if rows else out


def balance_loss(logits, k):
    chosen, _ = _chosen(logits, k)
    share = torch.zeros(logits.shape[1], dtype=logits.dtype)
    share.scatter_add_(0, chosen.flatten(), torch.ones(chosen.numel(), dtype=logits.dtype))
    return logits.shape[1] * (share / chosen.numel() * torch.softmax(logits, 1).mean(0)).sum()
