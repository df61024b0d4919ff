# Ends as: mismatch.
import torch


def twice_the_sum(x):
    return torch.empty(2**40, 0) if len(x) > 3 else torch.empty(10**6, 0)
