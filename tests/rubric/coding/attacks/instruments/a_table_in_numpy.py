# Question: algorithms-pair-sum
# Ends as: mismatch.
import numpy as np
import torch


def value_pairs(numbers, target):
    seen, pairs = set(), set()
    for number in numbers:
        other = target - number
        if other in seen:
            pairs.add((min(number, other), max(number, other)))
        seen.add(number)
    return sorted(pairs)


def index_pairs(x, target):
    values = x.numpy().astype(np.int64)
    i, j = np.nonzero(np.add.outer(values, values) == target)
    found = np.stack([i, j], axis=1)[i < j]
    return torch.from_numpy(found.copy()).long()
