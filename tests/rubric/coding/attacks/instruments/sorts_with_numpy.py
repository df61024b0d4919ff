# Question: algorithms-kth-largest
# Ends as: forbidden.
import numpy as np
import torch


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError("no such rank")
    return torch.from_numpy(np.sort(x.double().numpy()))[len(x) - k].to(x.dtype)
