import math

import torch


def pass_at_k(total, correct, k):
    found = []
    for sampled, right in zip(total.tolist(), correct.tolist(), strict=True):
        if not 1 <= k <= sampled or right > sampled:
            raise ValueError(f"{right} of {sampled} with k of {k}")
        found.append(1 - math.comb(sampled - right, k) / math.comb(sampled, k))
    return torch.tensor(found, dtype=torch.float64)
