from collections import deque

import torch


def sliding_max(values, k):
    if k < 1:
        raise ValueError(k)
    window, falling = deque(), deque()
    for value in values:
        if len(window) == k:
            gone = window.popleft()
            if gone is falling[0]:
                falling.popleft()
        window.append(value)
        while falling and falling[-1] < value:
            falling.pop()
        falling.append(value)
        if len(window) == k:
            yield falling[0]


def sliding_max_tensor(x, k):
    length = x.shape[-1]
    if k not in range(1, length + 1):
        raise ValueError(f"k={k}, length={length}")
    index = torch.arange(length - k + 1)[:, None] + torch.arange(k)
    return x[..., index].max(-1).values
