import torch


def smoothed_cross_entropy(logits, targets, smoothing=0.1, ignore_index=-100):
    if not 0 <= smoothing <= 1:
        raise ValueError(smoothing)
    counts = targets != ignore_index
    z = logits[counts]
    if z.dtype != torch.float64:
        z = z.float()
    if len(z) == 0:
        return z.sum()
    z = z - z.amax(-1, keepdim=True).detach()
    logp = z - z.exp().sum(-1, keepdim=True).log()
    own = logp.gather(-1, targets[counts][:, None])[:, 0]
    return -((1 - smoothing) * own + smoothing * logp.mean(-1)).mean()
