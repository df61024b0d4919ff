from itertools import chain

import torch


def pack(sequences, length, pad=0):
    if any(len(one) > length for one in sequences):
        raise ValueError("too long")
    bins, room = [], []
    for one in sorted(map(list, sequences), key=lambda one: -len(one)):
        place = next((i for i, free in enumerate(room) if free >= len(one)), None)
        if place is None:
            bins.append([])
            room.append(length)
            place = -1
        bins[place].append(one)
        room[place] -= len(one)

    def table(of, filler):
        rows = [list(chain.from_iterable(of(n, one) for n, one in enumerate(row, 1))) for row in bins]
        return torch.tensor([row + [filler] * (length - len(row)) for row in rows], dtype=torch.int64)

    return (
        table(lambda n, one: one, pad),
        table(lambda n, one: range(len(one)), 0),
        table(lambda n, one: [n] * len(one), 0),
        table(lambda n, one: [*one[1:], -100], -100),
    )


def attention_mask(segments):
    rows, length = segments.shape
    mask = torch.zeros(rows, length, length, dtype=torch.bool)
    for r in range(rows):
        for i in range(length):
            for j in range(i + 1):
                mask[r, i, j] = i == j or (segments[r, i] != 0 and segments[r, i] == segments[r, j])
    return mask
