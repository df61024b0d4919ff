import torch
from torch import nn


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x, mask, *weights):
        ctx.run, ctx.state = run, torch.get_rng_state()
        ctx.save_for_backward(x, mask)
        with torch.no_grad():
            return run(x, mask)

    @staticmethod
    def backward(ctx, grad):
        x, mask = ctx.saved_tensors
        now = torch.get_rng_state()
        torch.set_rng_state(ctx.state)
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            if mask is not None:
                mask = mask.detach().requires_grad_(mask.requires_grad)
            out = ctx.run(x, mask)
        torch.set_rng_state(now)
        wanted = [x] + ([mask] if mask is not None and mask.requires_grad else []) + list(ctx.run.weights)
        grads = list(torch.autograd.grad(out, wanted, grad, allow_unused=True))
        gx = grads.pop(0)
        gm = grads.pop(0) if mask is not None and mask.requires_grad else None
        return None, gx, gm, *grads


class Run:
    def __init__(self, blocks):
        self.blocks, self.weights = blocks, [p for b in blocks for p in b.parameters()]

    def __call__(self, x, mask):
        for block in self.blocks:
            x = block(x, mask)
        return x


class CheckpointedStack(nn.Module):
    def __init__(self, blocks, segment=2):
        super().__init__()
        self.blocks, self.segment = nn.ModuleList(blocks), segment

    def forward(self, x, mask=None):
        for start in range(0, len(self.blocks), self.segment):
            run = Run(list(self.blocks[start : start + self.segment]))
            x = Again.apply(run, x, mask, *run.weights) if torch.is_grad_enabled() else run(x, mask)
        return x
