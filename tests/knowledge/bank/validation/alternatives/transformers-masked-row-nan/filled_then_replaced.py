import torch


def attention(q, k, v, padding):
    time = q.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool, device=q.device).tril()
    allowed = causal & ~padding[:, None, :]
    scores = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
    return scores.softmax(dim=-1).nan_to_num(0.0) @ v
