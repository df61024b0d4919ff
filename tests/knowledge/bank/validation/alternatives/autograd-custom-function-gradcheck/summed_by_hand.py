import torch


def _shrunk(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(0)
    for dim, size in enumerate(shape):
        if size == 1 and grad.shape[dim] != 1:
            grad = grad.sum(dim, keepdim=True)
    return grad


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(x, beta):
        return x / (1 + torch.exp(-beta * x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        for_x, for_beta = ctx.needs_input_grad
        s = (beta * x).sigmoid()
        by_x = by_beta = None
        if for_x:
            by_x = grad * s * (1 + beta * x * (1 - s))
        if for_beta:
            by_beta = _shrunk(grad * x.square() * s * (1 - s), beta.shape)
        return by_x, by_beta


def swish(x: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return Swish.apply(x, beta)
