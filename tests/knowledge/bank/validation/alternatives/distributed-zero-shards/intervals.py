from itertools import accumulate
from math import ceil, prod

import torch


def layout(shapes, world):
    sizes = [prod(shape) for shape in shapes]
    return [0, *accumulate(sizes)][: len(sizes)], ceil(sum(sizes) / world)


def pieces(shapes, world, rank):
    if rank not in range(world):
        raise ValueError(rank)
    offsets, size = layout(shapes, world)
    low, high = rank * size, (rank + 1) * size
    found = []
    for index, (offset, shape) in enumerate(zip(offsets, shapes)):
        start, stop = max(low, offset), min(high, offset + prod(shape))
        if start < stop:
            found.append((index, start - offset, stop - offset))
    return found


def shard(params, world, rank):
    shapes = [tuple(p.shape) for p in params]
    share = torch.zeros(layout(shapes, world)[1], dtype=params[0].dtype)
    at = 0
    for index, start, stop in pieces(shapes, world, rank):
        share[at : at + stop - start] = params[index].detach().reshape(-1)[start:stop]
        at += stop - start
    return share


def gather(shards, shapes):
    flat = torch.cat(list(shards))
    offsets, _ = layout(shapes, 1)
    return [flat[offset : offset + prod(shape)].reshape(shape).clone() for offset, shape in zip(offsets, shapes)]
