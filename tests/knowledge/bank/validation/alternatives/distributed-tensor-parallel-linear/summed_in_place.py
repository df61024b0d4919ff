import torch
import torch.distributed as dist
import torch.nn.functional as F


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        g = g.contiguous().clone()
        dist.all_reduce(g)
        return g


def shard(tensor, dim):
    n, r = dist.get_world_size(), dist.get_rank()
    length = tensor.size(dim)
    if length % n:
        raise ValueError("uneven")
    size = length // n
    out = tensor.narrow(dim, r * size, size)
    copy = torch.empty(out.shape, dtype=out.dtype, device=out.device)
    copy.copy_(out)
    return copy


def column_linear(x, weight, bias=None):
    y = Copy.apply(x) @ weight.t()
    return y if bias is None else y + bias


def row_linear(x, weight, bias=None):
    y = x @ weight.t()
    y = y.contiguous()
    dist.all_reduce(y)
    return y if bias is None else y + bias
