import torch
import torch.nn.functional as F


def focal_loss(logits, targets, alpha=0.25, gamma=2.0):
    sign = torch.where(targets > 0, 1, -1).to(logits.dtype)
    margin = logits * sign
    weight = torch.where(targets > 0, alpha, 1 - alpha).to(logits.dtype)
    return (weight * F.softplus(-margin) * torch.exp(-gamma * F.softplus(margin))).mean()
