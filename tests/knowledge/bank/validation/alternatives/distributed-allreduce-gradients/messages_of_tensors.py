import torch
import torch.distributed as dist


def broadcast_state(module, src=0):
    for tensor in module.state_dict().values():
        dist.broadcast(tensor, src)


def average_gradients(params, limit):
    params = list(params)
    if not params:
        return
    has = torch.tensor([p.grad is not None for p in params], dtype=torch.int32)
    dist.all_reduce(has)
    wanted = [p for p, count in zip(params, has.tolist()) if count]
    groups, open_groups = [], {}
    for p in wanted:
        if p.grad is None:
            p.grad = torch.zeros_like(p)
        group = open_groups.get(p.dtype)
        if group is None or sum(q.numel() for q in group) + p.numel() > limit:
            group = open_groups[p.dtype] = []
            groups.append(group)
        group.append(p)
    for group in groups:
        flat = torch.cat([p.grad.reshape(-1) for p in group])
        dist.all_reduce(flat)
        flat /= dist.get_world_size()
        for p, part in zip(group, flat.split([p.numel() for p in group])):
            p.grad.copy_(part.view_as(p.grad))
