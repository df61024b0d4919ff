import torch


def sliding_max(values, k):
    if k < 1:
        raise ValueError(k)
    front, back, best_back = [], [], None
    for value in values:
        if len(front) + len(back) == k:
            if not front:
                while back:
                    last = back.pop()
                    front.append((last, last if not front or last > front[-1][1] else front[-1][1]))
                best_back = None
            front.pop()
        back.append(value)
        best_back = value if best_back is None or value > best_back else best_back
        if len(front) + len(back) == k:
            yield best_back if not front or best_back > front[-1][1] else front[-1][1]


def sliding_max_tensor(x, k):
    if not 1 <= k <= x.shape[-1]:
        raise ValueError(k)
    best = x[..., : x.shape[-1] - k + 1]
    for shift in range(1, k):
        best = torch.maximum(best, x[..., shift : shift + best.shape[-1]])
    return best.clone()
