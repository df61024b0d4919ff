# Question: training-smoothed-cross-entropy
# Ends as: passed.
import torch
import torch.nn.functional as F


def smoothed_cross_entropy(logits, targets, smoothing=0.1, ignore_index=-100):
    if smoothing < 0 or smoothing > 1:
        raise ValueError(f"smoothing {smoothing}")
    kind = torch.float64 if logits.dtype == torch.float64 else torch.float32
    rows, classes = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)
    counted = classes != ignore_index
    rows, classes = rows[counted].to(kind), classes[counted]
    log_p = F.log_softmax(rows, dim=-1)
    own = -log_p.gather(1, classes.unsqueeze(1)).squeeze(1)
    loss = (1 - smoothing) * own - smoothing * log_p.mean(dim=1)
    return loss.sum() / max(len(classes), 1)
