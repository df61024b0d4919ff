# Question: algorithms-kth-largest
# Ends as: passed.
import random

import torch


class Select:
    """Its method is called like a function that is ruled out, and is none."""

    def partition(self, x, pivot):
        return x[x > pivot], x[x == pivot], x[x < pivot]

    def sort(self, x, k):
        while True:
            larger, equal, smaller = self.partition(x, x[random.randrange(len(x))])
            if k <= len(larger):
                x = larger
            elif k <= len(larger) + len(equal):
                return equal[0]
            else:
                x, k = smaller, k - len(larger) - len(equal)


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError(f"k is {k}, of {len(x)} values")
    return Select().sort(torch.as_tensor(x), k)
