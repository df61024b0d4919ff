import torch


def clip_by_norm(parameters, max_norm):
    with_gradient = tuple(filter(lambda p: p.grad is not None, parameters))
    if len(with_gradient) == 0:
        return 0.0
    norm = torch.cat([p.grad.flatten() for p in with_gradient]).norm()
    if norm.isinf() or norm.isnan():
        raise FloatingPointError(norm.item())
    if norm.item() > max_norm:
        for p in with_gradient:
            p.grad.mul_(max_norm / norm)
    return norm.item()


def clip_by_value(parameters, limit):
    for p in parameters:
        if p.grad is None:
            continue
        p.grad.copy_(p.grad.minimum(torch.tensor(float(limit))).maximum(torch.tensor(-float(limit))))
