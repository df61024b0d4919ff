# Question: algorithms-kth-largest
# Ends as: forbidden.
import torch


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError("no such rank")
    return torch.tensor(sorted(x.tolist(), reverse=True)[k - 1], dtype=x.dtype)
