import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class CheckpointedStack(nn.Module):
    def __init__(self, blocks, segment):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)
        self.segment = segment

    def _part(self, start, mask):
        def run(x):
            for number in range(start, min(start + self.segment, len(self.blocks))):
                x = self.blocks[number](x, mask)
            return x

        return run

    def forward(self, x, mask=None):
        starts = range(0, len(self.blocks), self.segment)
        if not torch.is_grad_enabled():
            for start in starts:
                x = self._part(start, mask)(x)
            return x
        for start in starts:
            x = checkpoint(self._part(start, mask), x, use_reentrant=False)
        return x
