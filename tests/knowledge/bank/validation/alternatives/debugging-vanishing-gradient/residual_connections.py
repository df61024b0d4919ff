import torch
import torch.nn.functional as F
from torch import nn


class _Residual(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.linear, self.share = nn.Linear(width, width), depth**-0.5

    def forward(self, x):
        return x + self.share * torch.tanh(self.linear(x))


def make_network(depth=12, width=64):
    return nn.Sequential(*(_Residual(width, depth) for _ in range(depth)), nn.Linear(width, 1))


def loss_fn(output, target):
    return F.softplus(torch.where(target > 0.5, -output, output)).mean()
