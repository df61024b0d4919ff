import torch
import torch.nn.functional as F


def train_one_epoch(model, optimizer, batches):
    """Trains on batches of (x, y) with cross-entropy; returns the mean loss of a sample."""
    model.train()
    total, samples = 0.0, 0
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total = total + loss * len(y)
        samples += len(y)
    return float(total) / samples
