import torch
import torch.nn.functional as F


def focal_loss(logits, targets, alpha=0.25, gamma=2.0):
    wanted = targets.to(logits.dtype)
    bce = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    other = F.binary_cross_entropy_with_logits(logits, 1 - wanted, reduction="none")
    alpha_t = wanted * alpha + (1 - wanted) * (1 - alpha)
    return (alpha_t * (-gamma * other).exp() * bce).mean()
