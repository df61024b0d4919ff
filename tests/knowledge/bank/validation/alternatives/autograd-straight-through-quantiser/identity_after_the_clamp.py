import torch


class _Levels(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, low, high):
        raw = (x / scale).round_()
        level = raw.clip(low, high)
        ctx.passes = raw == level
        return scale * level

    @staticmethod
    def backward(ctx, grad):
        return (grad * ctx.passes.to(grad.dtype), None, None, None)


def fake_quantise(x: torch.Tensor, scale: float, low: int, high: int) -> torch.Tensor:
    return _Levels.apply(x, scale, low, high)
