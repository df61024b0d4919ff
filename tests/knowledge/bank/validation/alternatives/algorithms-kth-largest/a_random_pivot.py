import random

import torch


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError(k)
    while True:
        pivot = x[random.randrange(len(x))]
        larger = x[x > pivot]
        if k <= len(larger):
            x = larger
            continue
        equal = int((x == pivot).sum())
        if k <= len(larger) + equal:
            return pivot
        k -= len(larger) + equal
        x = x[x < pivot]
