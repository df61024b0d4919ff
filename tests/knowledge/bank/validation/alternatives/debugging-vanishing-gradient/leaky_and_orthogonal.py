import torch
import torch.nn.functional as F
from torch import nn


def make_network(depth=12, width=64):
    network = nn.Sequential()
    for number in range(depth):
        linear = nn.Linear(width, width)
        gain = nn.init.calculate_gain("leaky_relu", 0.2)
        nn.init.orthogonal_(linear.weight, gain)
        nn.init.zeros_(linear.bias)
        network.add_module(f"linear{number}", linear)
        network.add_module(f"act{number}", nn.LeakyReLU(0.2))
    network.add_module("head", nn.Linear(width, 1))
    return network


def loss_fn(output, target):
    return (F.softplus(output) - target * output).mean()
