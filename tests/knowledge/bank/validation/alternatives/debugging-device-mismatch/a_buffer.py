import torch
from torch import nn


class Pooling(nn.Module):
    def __init__(self, width, limit):
        super().__init__()
        self.score = nn.Linear(width, 1)
        self.register_buffer("decay", torch.linspace(1.0, 0.1, limit), persistent=False)

    def forward(self, x, lengths):
        places = torch.arange(x.shape[1], device=x.device)
        scores = self.score(x).squeeze(-1) * self.decay[: x.shape[1]]
        weights = scores.masked_fill(places >= lengths.unsqueeze(1), -torch.inf).softmax(-1)
        return (weights.unsqueeze(-1) * x).sum(1)


def to_device(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: to_device(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(to_device(value, device) for value in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(to_device(value, device) for value in batch)
    return batch
