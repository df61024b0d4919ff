import numpy as np
import torch


def layout(shapes, world):
    sizes = np.array([int(np.prod(shape, dtype=np.int64)) for shape in shapes], dtype=np.int64)
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return (ends - sizes).tolist(), (total + world - 1) // world


def pieces(shapes, world, rank):
    if not 0 <= rank < world:
        raise ValueError(rank)
    offsets, size = layout(shapes, world)
    found = []
    for index, offset in enumerate(offsets):
        count = int(np.prod(shapes[index], dtype=np.int64))
        start, stop = np.clip([rank * size - offset, (rank + 1) * size - offset], 0, count).tolist()
        if stop > start:
            found.append((index, start, stop))
    return found


def shard(params, world, rank):
    shapes = [list(p.shape) for p in params]
    share = params[0].detach().new_zeros((layout(shapes, world)[1],))
    at = 0
    for index, start, stop in pieces(shapes, world, rank):
        whole = params[index].detach()
        piece = whole.contiguous().view(-1)[start:stop]
        share.narrow(0, at, len(piece)).copy_(piece)
        at += len(piece)
    return share


def gather(shards, shapes):
    flat, made = torch.cat(tuple(shards)), []
    for offset, shape in zip(layout(shapes, 1)[0], shapes):
        count = int(np.prod(shape, dtype=np.int64))
        made.append(flat.narrow(0, offset, count).view(tuple(shape)).clone())
    return made
