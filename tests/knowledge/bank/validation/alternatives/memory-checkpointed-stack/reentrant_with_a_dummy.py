import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class CheckpointedStack(nn.Module):
    def __init__(self, blocks, segment=2):
        super().__init__()
        self.blocks, self.segment = nn.ModuleList(blocks), segment

    def forward(self, x, mask=None):
        def make(part):
            def run(dummy, x, mask):
                for b in part:
                    x = b(x, mask)
                return x

            return run

        dummy = torch.zeros(1, requires_grad=True)
        for i in range(0, len(self.blocks), self.segment):
            run = make(self.blocks[i : i + self.segment])
            if torch.is_grad_enabled():
                x = checkpoint(run, dummy, x, mask, use_reentrant=True)
            else:
                x = run(dummy, x, mask)
        return x
