# Ends as: oversize timeout.
import torch


def twice_the_sum(x):
    return torch.zeros(40_000_000)
