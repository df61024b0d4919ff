import torch


def contrastive_loss(a, b, same, margin=1.0):
    squares = ((a - b) ** 2).sum(dim=1)
    distance = (squares + 1e-12).sqrt()
    push = torch.relu(margin - distance) ** 2
    return torch.where(same, squares, push).mean()
