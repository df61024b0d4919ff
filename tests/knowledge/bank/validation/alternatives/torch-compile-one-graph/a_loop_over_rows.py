import torch


def pool(hidden, lengths, limit):
    rows = []
    for row, length in zip(hidden, lengths.tolist()):
        rows.append(row[:length].sum(dim=0) / max(length, 1))
    vectors = torch.stack(rows)
    squares = vectors.square().sum(dim=1)
    long = squares.sqrt() > limit
    factor = torch.where(long, limit / torch.where(long, squares, 1.0).sqrt(), 1.0)
    return vectors * factor[:, None], long.sum()
