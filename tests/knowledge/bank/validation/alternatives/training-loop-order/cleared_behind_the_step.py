import torch
import torch.nn.functional as F


def train_one_epoch(model, optimizer, batches):
    """Trains on batches of (x, y) with cross-entropy; returns the mean loss of a sample."""
    model.train()
    total, samples = 0.0, 0
    optimizer.zero_grad()
    for x, y in batches:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item() * len(y)
        samples += len(y)
    return total / samples
