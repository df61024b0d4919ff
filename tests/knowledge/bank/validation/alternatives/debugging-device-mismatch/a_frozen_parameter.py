import torch
from torch import nn


class Pooling(nn.Module):
    def __init__(self, width, limit):
        super().__init__()
        self.score = nn.Linear(width, 1)
        self.decay = nn.Parameter(torch.linspace(1.0, 0.1, limit), requires_grad=False)

    def forward(self, x, lengths):
        time = x.size(1)
        scores = torch.mul(self.score(x)[..., 0], self.decay[:time])
        hidden = torch.arange(time, device=lengths.device).expand(len(x), time) >= lengths[:, None]
        weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=1)
        return torch.einsum("bt,btw->bw", weights, x)


def to_device(batch, device):
    match batch:
        case torch.Tensor():
            return batch.to(device, non_blocking=True)
        case dict():
            return type(batch)((key, to_device(value, device)) for key, value in batch.items())
        case tuple() if type(batch) is not tuple:
            return batch._make(to_device(value, device) for value in batch)
        case list():
            return [to_device(value, device) for value in batch]
        case tuple():
            return tuple(to_device(value, device) for value in batch)
    return batch
