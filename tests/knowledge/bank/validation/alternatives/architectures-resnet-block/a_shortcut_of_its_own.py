import torch
from torch import nn


class _Projection(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel_size=1, stride=stride, bias=False)
        self.bn = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return self.bn(self.conv(x))


class BasicBlock(nn.Module):
    def __init__(self, in_channels, out_channels, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, (3, 3), (stride, stride), (1, 1), bias=False)
        self.conv2 = nn.Conv2d(out_channels, out_channels, (3, 3), padding="same", bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(out_channels), nn.BatchNorm2d(out_channels)
        changes = stride > 1 or in_channels != out_channels
        self.shortcut = _Projection(in_channels, out_channels, stride) if changes else nn.Identity()

    def forward(self, x):
        skip = self.shortcut(x)
        y = self.conv2(self.bn1(self.conv1(x)).clamp(min=0))
        return torch.relu(skip + self.bn2(y))
