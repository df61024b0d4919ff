import torch


def kth_largest(x, k):
    if k not in range(1, len(x) + 1):
        raise ValueError("k is out of range")
    alive = torch.ones_like(x, dtype=torch.bool)
    while True:
        candidates = alive.nonzero().squeeze(1)
        pivot = x[candidates[torch.randint(len(candidates), ())]]
        above, equal = alive & (x > pivot), alive & (x == pivot)
        bigger, same = above.sum().item(), equal.sum().item()
        if k <= bigger:
            alive = above
        elif k <= bigger + same:
            return pivot.clone()
        else:
            k -= bigger + same
            alive = alive & ~above & ~equal
