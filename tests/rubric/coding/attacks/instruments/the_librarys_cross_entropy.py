# Question: training-smoothed-cross-entropy
# Ends as: forbidden.
import torch
import torch.nn.functional as F


def smoothed_cross_entropy(logits, targets, smoothing=0.1, ignore_index=-100):
    if not 0 <= smoothing <= 1:
        raise ValueError("smoothing")
    keep = targets != ignore_index
    rows, classes = logits[keep], targets[keep]
    rows = rows.to(torch.promote_types(rows.dtype, torch.float32))
    loss = getattr(F, "cross_" + "entropy")
    return loss(rows, classes, reduction="sum", label_smoothing=smoothing) / max(1, len(classes))
