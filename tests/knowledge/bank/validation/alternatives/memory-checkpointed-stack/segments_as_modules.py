import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class _Segment(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x, mask):
        for block in self.blocks:
            x = block(x, mask)
        return x


class CheckpointedStack(nn.Module):
    def __init__(self, blocks, segment):
        super().__init__()
        blocks = list(blocks)
        self.segments = nn.ModuleList(_Segment(blocks[at : at + segment]) for at in range(0, len(blocks), segment))

    def forward(self, x, mask=None):
        for part in self.segments:
            if torch.is_grad_enabled():
                x = checkpoint(part, x, mask, use_reentrant=False, preserve_rng_state=True)
            else:
                x = part(x, mask)
        return x
