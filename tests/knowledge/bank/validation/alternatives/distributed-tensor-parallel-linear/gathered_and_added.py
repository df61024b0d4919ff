import torch
import torch.distributed as dist
from torch import nn


class _Talk(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, in_forward):
        ctx.in_forward = in_forward
        return _Talk.total(x) if in_forward else x.clone()

    @staticmethod
    def backward(ctx, grad):
        return (grad if ctx.in_forward else _Talk.total(grad)), None

    @staticmethod
    def total(x):
        x = x.contiguous()
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x)
        return torch.stack(parts).sum(0)


def shard(tensor, dim):
    n = dist.get_world_size()
    if tensor.shape[dim] / n != tensor.shape[dim] // n:
        raise ValueError("uneven")
    parts = tensor.unflatten(dim, (n, -1)) if dim >= 0 else tensor.unflatten(tensor.ndim + dim, (n, -1))
    return parts.select(dim % tensor.ndim, dist.get_rank()).contiguous().clone()


def column_linear(x, weight, bias=None):
    return nn.functional.linear(_Talk.apply(x, False), weight, bias)


def row_linear(x, weight, bias=None):
    y = _Talk.apply(nn.functional.linear(x, weight), True)
    if bias is not None:
        y = y + bias
    return y
