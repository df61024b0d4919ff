from collections import OrderedDict

import torch
from torch import nn


def _conv(inputs, outputs, size, stride=1):
    return nn.Conv2d(inputs, outputs, size, stride=stride, padding=size // 2, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, in_channels, out_channels, stride=1):
        super().__init__()
        self.conv1, self.bn1 = _conv(in_channels, out_channels, 3, stride), nn.BatchNorm2d(out_channels)
        self.conv2, self.bn2 = _conv(out_channels, out_channels, 3), nn.BatchNorm2d(out_channels)
        same = stride == 1 and in_channels == out_channels
        parts = OrderedDict(project=_conv(in_channels, out_channels, 1, stride), norm=nn.BatchNorm2d(out_channels))
        self.shortcut = nn.Identity() if same else nn.Sequential(parts)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        branch = self.act(self.bn1(self.conv1(x)))
        branch = self.bn2(self.conv2(branch))
        branch += self.shortcut(x)
        return self.act(branch)
