from collections import Counter

import torch


def value_pairs(numbers, target):
    counts = Counter(numbers)
    pairs = []
    for a in counts:
        b = target - a
        if a < b and b in counts or a == b and counts[a] > 1:
            pairs.append((a, b))
    return sorted(pairs)


def index_pairs(x, target):
    wide = x.to(torch.int64)
    distinct, group = torch.unique(wide, return_inverse=True)
    order = group.argsort(stable=True)
    sizes = torch.bincount(group, minlength=len(distinct))
    starts = sizes.cumsum(0) - sizes
    wanted = target - distinct
    place = torch.searchsorted(distinct, wanted).clamp(max=max(len(distinct) - 1, 0))
    hit = distinct[place] == wanted if len(distinct) else torch.zeros(0, dtype=torch.bool)
    partners = torch.where(hit, sizes[place], 0)[group] if len(x) else torch.zeros(0, dtype=torch.int64)
    begin = starts[place][group] if len(x) else partners
    left = torch.repeat_interleave(torch.arange(len(x)), partners)
    offset = torch.arange(len(left)) - torch.repeat_interleave(partners.cumsum(0) - partners, partners)
    right = order[torch.repeat_interleave(begin, partners) + offset]
    kept = torch.stack([left, right], dim=1)[left < right]
    key = kept[:, 0] * max(len(x), 1) + kept[:, 1]
    return kept[key.argsort()]
