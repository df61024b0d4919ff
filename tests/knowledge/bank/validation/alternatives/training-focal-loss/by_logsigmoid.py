import torch
import torch.nn.functional as F


def focal_loss(logits, targets, alpha=0.25, gamma=2.0):
    targets = targets.to(logits.dtype)
    log_p, log_not_p = F.logsigmoid(logits), F.logsigmoid(-logits)
    positive = -alpha * torch.exp(gamma * log_not_p) * log_p
    negative = -(1 - alpha) * torch.exp(gamma * log_p) * log_not_p
    return (targets * positive + (1 - targets) * negative).mean()
