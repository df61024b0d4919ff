# Ends as: mismatch.
import torch


def twice_the_sum(x):
    return torch.quantize_per_tensor(2 * x.sum(), 0.1, 0, torch.qint8)
