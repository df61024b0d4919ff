import torch


def kth_largest(x, k):
    n = x.numel()
    if k < 1 or k > n:
        raise ValueError((k, n))
    three = x[torch.randint(n, (3,))].tolist()
    pivot = max(min(three[0], three[1]), min(max(three[0], three[1]), three[2]))
    above = x > pivot
    below = x < pivot
    more, less = int(above.sum()), int(below.sum())
    if k <= more:
        return kth_largest(x[above], k)
    if k > n - less:
        return kth_largest(x[below], k - (n - less))
    return torch.tensor(pivot, dtype=x.dtype)
