import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(x, scale, low, high):
        return torch.clamp(torch.round(x / scale), min=low, max=high).mul(scale)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.scale, ctx.low, ctx.high = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad):
        level = (ctx.saved_tensors[0] / ctx.scale).round()
        return grad.masked_fill((level < ctx.low) | (level > ctx.high), 0), None, None, None


def fake_quantise(x, scale, low, high):
    return Round.apply(x, scale, low, high)
