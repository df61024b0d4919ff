import torch.nn.functional as F
from torch import nn


def make_network(depth=12, width=64):
    layers = []
    for _ in range(depth):
        linear = nn.Linear(width, width)
        nn.init.kaiming_normal_(linear.weight, nonlinearity="relu")
        nn.init.zeros_(linear.bias)
        layers += [linear, nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, 1))


def loss_fn(output, target):
    return F.binary_cross_entropy_with_logits(output, target)
