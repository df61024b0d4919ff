import torch
import torch.nn.functional as F


def smoothed_cross_entropy(logits, targets, smoothing=0.1, ignore_index=-100):
    if not (0.0 <= smoothing <= 1.0):
        raise ValueError(smoothing)
    flat, labels = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)
    kept = (labels != ignore_index).nonzero().squeeze(-1)
    chosen = flat.index_select(0, kept)
    chosen = chosen if chosen.dtype is torch.float64 else chosen.to(torch.float32)
    logp = F.log_softmax(chosen, dim=-1)
    total = F.nll_loss(logp, labels[kept], reduction="sum", ignore_index=-12345) * (1 - smoothing)
    total = total - smoothing / logits.shape[-1] * logp.sum()
    return total / max(len(kept), 1)
