import torch


def smoothed_cross_entropy(logits, targets, smoothing=0.1, ignore_index=-100):
    if smoothing < 0 or smoothing > 1:
        raise ValueError("smoothing is a share")
    ignored = targets == ignore_index
    precise = logits.to(torch.float64 if logits.dtype == torch.float64 else torch.float32)
    logp = precise.masked_fill(ignored.unsqueeze(-1), 0.0).log_softmax(-1)
    classes = logits.shape[-1]
    wanted = torch.full_like(logp, smoothing / classes)
    index = targets.masked_fill(ignored, 0).unsqueeze(-1)
    wanted = wanted.scatter_add(-1, index, torch.full_like(index, 1, dtype=logp.dtype) * (1 - smoothing))
    rows = -(wanted * logp).sum(-1).masked_fill(ignored, 0.0)
    return rows.sum() / (~ignored).sum().clamp(min=1)
