# Question: algorithms-pair-sum
# Ends as: passed.
import functools
import operator
from collections import Counter

import numpy as np
import torch


def value_pairs(numbers, target):
    count = Counter(map(int, numbers))
    found = {tuple(sorted((a, target - a))) for a in count if target - a in count}
    return sorted(pair for pair in found if pair[0] != pair[1] or count[pair[0]] > 1)


def index_pairs(x, target):
    values = getattr(x, "detach")().cpu().numpy().astype(np.int64)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    low, high = (np.searchsorted(ordered, target - values, side=side) for side in ("left", "right"))
    count = functools.reduce(operator.sub, (high, low))
    first = np.repeat(np.arange(len(values)), count)
    within = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    second = order[np.repeat(low, count) + within]
    keep = first < second
    return torch.from_numpy(np.stack([first[keep], second[keep]], axis=1)).long()
