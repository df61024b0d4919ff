import torch


def attention(q, k, v, padding):
    time = q.shape[1]
    later = torch.ones(time, time, dtype=torch.bool, device=q.device).triu(1)
    forbidden = later | padding[:, None, :]
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    return scores.masked_fill(forbidden, torch.finfo(scores.dtype).min).softmax(-1) @ v
