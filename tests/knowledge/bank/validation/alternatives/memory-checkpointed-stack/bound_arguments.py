from functools import partial

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def _run(blocks, x, mask):
    for block in blocks:
        x = block(x, mask)
    return x


class CheckpointedStack(nn.Module):
    def __init__(self, blocks, segment=2):
        super().__init__()
        self.blocks, self.segment = nn.ModuleList(blocks), segment

    def forward(self, x, mask=None):
        for start in range(0, len(self.blocks), self.segment):
            run = partial(_run, list(self.blocks)[start : start + self.segment])
            x = checkpoint(run, x, mask, use_reentrant=False) if torch.is_grad_enabled() else run(x, mask)
        return x
