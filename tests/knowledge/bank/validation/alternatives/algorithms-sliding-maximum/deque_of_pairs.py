from collections import deque

import torch


def sliding_max(values, k):
    if k <= 0:
        raise ValueError("a window holds one value at least")
    kept = deque()
    for place, value in enumerate(values):
        while kept and not kept[-1][1] > value:
            kept.pop()
        kept.append((place, value))
        if kept[0][0] <= place - k:
            kept.popleft()
        if place >= k - 1:
            yield kept[0][1]


def sliding_max_tensor(x, k):
    if k < 1 or k > x.size(-1):
        raise ValueError(k)
    return x.unfold(-1, k, 1).amax(-1)
