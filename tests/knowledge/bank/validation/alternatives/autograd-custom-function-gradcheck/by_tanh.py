import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return 0.5 * x * (1 + torch.tanh(0.5 * beta * x))

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        t = torch.tanh(0.5 * beta * x)
        inner = 0.25 * x * (1 - t * t)
        result = [None, None]
        if ctx.needs_input_grad[0]:
            result[0] = grad * (0.5 * (1 + t) + beta * inner)
        if ctx.needs_input_grad[1]:
            result[1] = (grad * x * inner).sum_to_size(beta.shape)
        return tuple(result)


def swish(x, beta):
    return Swish.apply(x, beta)
