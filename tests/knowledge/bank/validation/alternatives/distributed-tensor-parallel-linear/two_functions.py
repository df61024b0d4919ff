import torch
import torch.distributed as dist
import torch.nn.functional as F


class _Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(grad)
        return grad


class _Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


def shard(tensor, dim):
    n = dist.get_world_size()
    if tensor.shape[dim] % n:
        raise ValueError(tensor.shape)
    return tensor.chunk(n, dim)[dist.get_rank()].clone(memory_format=torch.contiguous_format)


def column_linear(x, weight, bias=None):
    return F.linear(_Copy.apply(x), weight, bias)


def row_linear(x, weight, bias=None):
    y = _Sum.apply(F.linear(x, weight))
    return y if bias is None else y + bias
