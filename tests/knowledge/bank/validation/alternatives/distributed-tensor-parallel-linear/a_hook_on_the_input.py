import torch
import torch.distributed as dist


def _summed(tensor):
    total = tensor.detach().contiguous().clone()
    dist.all_reduce(total)
    return total


def shard(tensor, dim):
    world, rank = dist.get_world_size(), dist.get_rank()
    size, rest = divmod(tensor.size(dim), world)
    if rest:
        raise ValueError(f"{tensor.size(dim)} over {world}")
    part = tensor.narrow(dim, rank * size, size)
    return torch.empty(part.shape, dtype=part.dtype).copy_(part)


def column_linear(x, weight, bias=None):
    own = x.view_as(x)
    if own.requires_grad:
        own.register_hook(_summed)
    y = own @ weight.T
    return y if bias is None else y + bias


def row_linear(x, weight, bias=None):
    local = x @ weight.t()
    y = local + (_summed(local) - local).detach()
    return y if bias is None else y + bias
