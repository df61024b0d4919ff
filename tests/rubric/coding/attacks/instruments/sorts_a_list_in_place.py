# Question: algorithms-kth-largest
# Ends as: forbidden.
import torch


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError("no such rank")
    values = x.tolist()
    values.sort()
    return torch.tensor(values[-k], dtype=x.dtype)
