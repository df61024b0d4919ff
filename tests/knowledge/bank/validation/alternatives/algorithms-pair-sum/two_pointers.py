import torch


def value_pairs(numbers, target):
    values = sorted(numbers)
    low, high, found = 0, len(values) - 1, []
    while low < high:
        total = values[low] + values[high]
        if total < target:
            low += 1
        elif total > target:
            high -= 1
        else:
            if not found or found[-1][0] != values[low]:
                found.append((values[low], values[high]))
            low += 1
            high -= 1
    return found


def index_pairs(x, target):
    x = x.long()
    values, order = x.sort(stable=True)
    first = torch.searchsorted(values, target - x)
    last = torch.searchsorted(values, target - x, right=True)
    count = last - first
    i = torch.arange(len(x)).repeat_interleave(count)
    within = torch.arange(int(count.sum())) - (count.cumsum(0) - count).repeat_interleave(count)
    j = order[first.repeat_interleave(count) + within]
    pairs = torch.stack([i, j], 1)[i < j]
    pairs = pairs[pairs[:, 1].argsort(stable=True)]
    return pairs[pairs[:, 0].argsort(stable=True)]
