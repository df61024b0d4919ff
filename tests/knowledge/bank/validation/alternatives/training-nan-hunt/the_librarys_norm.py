import torch


def contrastive_loss(a, b, same, margin=1.0):
    difference = a - b
    pull = (difference * difference).sum(1)
    push = (margin - torch.linalg.vector_norm(difference, dim=1)).clamp(min=0).square()
    weight = same.to(pull.dtype)
    return (weight * pull + (1 - weight) * push).mean()
