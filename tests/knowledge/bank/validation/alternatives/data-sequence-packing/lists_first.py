import torch


def pack(sequences, length, pad=0):
    rows = []
    for sequence in sorted(sequences, key=len, reverse=True):
        if len(sequence) > length:
            raise ValueError(f"{len(sequence)} tokens do not fit into {length}")
        for row in rows:
            if sum(map(len, row)) + len(sequence) <= length:
                row.append(sequence)
                break
        else:
            rows.append([sequence])
    shape = len(rows), length
    tokens, labels = torch.full(shape, pad), torch.full(shape, -100)
    positions, segments = torch.zeros(shape, dtype=torch.long), torch.zeros(shape, dtype=torch.long)
    for r, row in enumerate(rows):
        at = 0
        for number, sequence in enumerate(row, 1):
            end = at + len(sequence)
            tokens[r, at:end] = torch.tensor(sequence)
            labels[r, at : end - 1] = torch.tensor(sequence[1:], dtype=torch.long)
            positions[r, at:end] = torch.arange(len(sequence))
            segments[r, at:end] = number
            at = end
    return tokens, positions, segments, labels


def attention_mask(segments):
    same = segments[:, :, None] == segments[:, None, :]
    real = (segments > 0)[:, :, None]
    eye = torch.eye(segments.shape[1], dtype=torch.bool)
    return (same & real).tril() | eye
