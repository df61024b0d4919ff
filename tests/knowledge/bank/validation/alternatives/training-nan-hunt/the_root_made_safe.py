import torch


def contrastive_loss(a, b, same, margin=1.0):
    squares = (a - b).pow(2).sum(1)
    apart = squares > 0
    distance = torch.where(apart, torch.where(apart, squares, 1.0).sqrt(), 0.0)
    push = (margin - distance).clamp(min=0).pow(2)
    return torch.where(same, squares, push).mean()
