import math

import torch
import torch.nn.functional as F
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        if rank < 1:
            raise ValueError("rank must be positive")
        self.linear = linear
        for parameter in self.linear.parameters():
            parameter.requires_grad = False
        like = {"dtype": linear.weight.dtype, "device": linear.weight.device}
        self.lora_a = nn.Parameter(torch.empty(rank, linear.in_features, **like))
        self.lora_b = nn.Parameter(torch.zeros(linear.out_features, rank, **like))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self.rank, self.alpha = rank, alpha
        self.is_merged = False

    def _change(self, sign):
        self.linear.weight.data.addmm_(self.lora_b.data, self.lora_a.data, alpha=sign * self.alpha / self.rank)

    def forward(self, x):
        y = self.linear(x)
        if not self.is_merged:
            y = y + F.linear(F.linear(x, self.lora_a), self.lora_b) * (self.alpha / self.rank)
        return y

    def merge(self):
        if self.is_merged:
            return
        self._change(+1)
        self.is_merged = True

    def unmerge(self):
        if not self.is_merged:
            return
        self._change(-1)
        self.is_merged = False
