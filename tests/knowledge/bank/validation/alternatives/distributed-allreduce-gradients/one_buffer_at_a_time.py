import torch
import torch.distributed as dist


@torch.no_grad()
def broadcast_state(module, src=0):
    for tensor in (*module.parameters(), *module.buffers()):
        whole = tensor.contiguous()
        dist.broadcast(whole, src)
        tensor.copy_(whole)


def _send(batch, world):
    flat = torch.empty(sum(g.numel() for g in batch), dtype=batch[0].dtype)
    at = 0
    for g in batch:
        flat[at : at + g.numel()] = g.flatten()
        at += g.numel()
    dist.all_reduce(flat)
    at = 0
    for g in batch:
        g.copy_((flat[at : at + g.numel()] / world).view(g.shape))
        at += g.numel()


def average_gradients(params, limit):
    params, world = tuple(params), dist.get_world_size()
    if not params:
        return
    flags = torch.tensor([0 if p.grad is None else 1 for p in params], dtype=torch.uint8)
    dist.all_reduce(flags, op=dist.ReduceOp.MAX)
    by_dtype = {}
    for p, flag in zip(params, flags):
        if flag:
            p.grad = torch.zeros_like(p) if p.grad is None else p.grad
            by_dtype.setdefault(p.grad.dtype, []).append(p.grad)
    for gradients in by_dtype.values():
        batch, size = [], 0
        for g in gradients:
            if batch and size + g.numel() > limit:
                _send(batch, world)
                batch, size = [], 0
            batch.append(g)
            size += g.numel()
        _send(batch, world)
