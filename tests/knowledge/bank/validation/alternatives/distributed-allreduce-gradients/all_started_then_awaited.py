import torch
import torch.distributed as dist
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


def broadcast_state(module, src=0):
    handles = [dist.broadcast(each.data, src, async_op=True) for each in [*module.parameters(), *module.buffers()]]
    for handle in handles:
        handle.wait()


def average_gradients(params, limit):
    params = [*params]
    if len(params) == 0:
        return
    present = torch.zeros(len(params))
    present[[i for i, p in enumerate(params) if p.grad is not None]] = 1
    dist.all_reduce(present)
    pending, filling = [], {}
    for p, count in zip(params, present):
        if count == 0:
            continue
        if p.grad is None:
            p.grad = p.detach().new_zeros(p.shape)
        kept = filling.setdefault(p.dtype, [[]])
        if kept[-1] and sum(g.numel() for g in kept[-1]) + p.numel() > limit:
            kept.append([])
        kept[-1].append(p.grad)
    for batches in filling.values():
        for batch in batches:
            flat = _flatten_dense_tensors(batch)
            pending.append((batch, flat, dist.all_reduce(flat, async_op=True)))
    for batch, flat, work in pending:
        work.wait()
        for g, averaged in zip(batch, _unflatten_dense_tensors(flat / dist.get_world_size(), batch)):
            g.copy_(averaged)
