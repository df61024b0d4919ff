from math import prod

import torch


def layout(shapes, world):
    offsets, total = [], 0
    for shape in shapes:
        offsets.append(total)
        total += prod(shape)
    return offsets, -(-total // world)


def pieces(shapes, world, rank):
    if rank < 0 or rank >= world:
        raise ValueError(f"rank {rank} of {world}")
    size = layout(shapes, world)[1]
    skip, left, result = rank * size, size, []
    for index, shape in enumerate(shapes):
        count = prod(shape)
        if skip >= count:
            skip -= count
            continue
        take = min(count - skip, left)
        if take > 0:
            result.append((index, skip, skip + take))
        skip, left = 0, left - take
    return result


def shard(params, world, rank):
    shapes = [p.shape for p in params]
    size = layout(shapes, world)[1]
    with torch.no_grad():
        parts = [params[i].flatten()[start:stop] for i, start, stop in pieces(shapes, world, rank)]
        filler = params[0].new_zeros(size - sum(len(part) for part in parts))
        return torch.cat([*parts, filler])


def gather(shards, shapes):
    flat = torch.stack(tuple(shards)).flatten()
    sizes = [prod(shape) for shape in shapes]
    parts = flat[: sum(sizes)].split(sizes)
    return [part.reshape(tuple(shape)) for part, shape in zip(parts, shapes)]
