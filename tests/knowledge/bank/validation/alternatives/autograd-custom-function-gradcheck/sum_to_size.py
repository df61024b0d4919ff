import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(beta * x)
        slope = s * (1 - s)
        by_x = grad * (s + beta * x * slope) if ctx.needs_input_grad[0] else None
        by_beta = (grad * x * x * slope).sum_to_size(beta.shape) if ctx.needs_input_grad[1] else None
        return by_x, by_beta


def swish(x, beta):
    return Swish.apply(x, beta)
