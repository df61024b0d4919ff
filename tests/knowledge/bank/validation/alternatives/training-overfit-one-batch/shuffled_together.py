import torch
import torch.nn.functional as F


def fit_one_batch(model, x, y, steps=300, lr=0.5):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        order = torch.randperm(len(x))
        loss = F.cross_entropy(model(x[order]), y[order])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses
