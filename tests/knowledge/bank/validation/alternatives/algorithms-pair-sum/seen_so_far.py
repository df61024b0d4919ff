import numpy as np
import torch


def value_pairs(numbers, target):
    seen, found = set(), set()
    for number in numbers:
        other = target - number
        if other in seen:
            found.add((other, number) if other < number else (number, other))
        seen.add(number)
    return sorted(found)


def index_pairs(x, target):
    values = x.numpy().astype(np.int64)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    low = np.searchsorted(ordered, target - values, side="left")
    high = np.searchsorted(ordered, target - values, side="right")
    many = high - low
    first = np.repeat(np.arange(len(values)), many)
    steps = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    second = order[np.repeat(low, many) + steps]
    pairs = np.stack([first, second], axis=1)[first < second]
    return torch.from_numpy(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].astype(np.int64))
