import torch


def pack(sequences, length, pad=0):
    rows = []
    for tokens in sorted(sequences, key=len)[::-1]:
        if len(tokens) > length:
            raise ValueError(len(tokens))
        fitting = [row for row in rows if len(row) + len(tokens) <= length]
        if not fitting:
            rows.append([])
            fitting = [rows[-1]]
        number = fitting[0][-1][1] + 1 if fitting[0] else 1
        fitting[0].extend((token, number, place) for place, token in enumerate(tokens))
    filled = [row + [(pad, 0, 0)] * (length - len(row)) for row in rows]
    tokens, segments, positions = torch.tensor(filled).reshape(-1, length, 3).unbind(-1)
    labels = torch.full_like(tokens, -100)
    goes_on = (segments[:, 1:] == segments[:, :-1]) & (segments[:, 1:] > 0)
    labels[:, :-1] = torch.where(goes_on, tokens[:, 1:], -100)
    return tokens, positions, segments, labels


def attention_mask(segments):
    places = torch.arange(segments.shape[1])
    back = places[:, None] - places[None]
    same = segments.unsqueeze(2).eq(segments.unsqueeze(1)) & segments.unsqueeze(2).ne(0)
    return torch.where(same, back >= 0, back == 0)
