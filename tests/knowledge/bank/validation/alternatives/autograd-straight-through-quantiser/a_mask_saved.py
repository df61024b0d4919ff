import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, low, high):
        level = torch.round(x / scale)
        ctx.save_for_backward((level >= low) & (level <= high))
        return level.clamp(low, high) * scale

    @staticmethod
    def backward(ctx, grad):
        (inside,) = ctx.saved_tensors
        return torch.where(inside, grad, torch.zeros_like(grad)), None, None, None


def fake_quantise(x, scale, low, high):
    return Quantise.apply(x, scale, low, high)
