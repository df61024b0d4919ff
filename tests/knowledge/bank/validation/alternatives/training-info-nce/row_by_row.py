import torch
import torch.nn.functional as F


def one_way(rows, columns, temperature, ids):
    losses = []
    for i, row in enumerate(rows):
        kept = torch.tensor([j for j in range(len(columns)) if j == i or ids is None or ids[j] != ids[i]])
        scores = columns[kept] @ row / temperature
        target = (kept == i).nonzero()[0]
        losses.append(F.cross_entropy(scores[None], target))
    return torch.stack(losses).mean()


def info_nce(a, b, temperature=0.07, ids=None):
    """One row at a time, over the columns that are allowed."""
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    if ids is not None:
        ids = ids.tolist()
    return (one_way(a, b, temperature, ids) + one_way(b, a, temperature, ids)) / 2
