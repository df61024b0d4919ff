import torch


def clip_by_norm(parameters, max_norm):
    gradients = [p.grad.detach() for p in parameters if p.grad is not None]
    if not gradients:
        return torch.tensor(0.0)
    norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
    if not torch.isfinite(norm):
        raise FloatingPointError("gradients are not finite")
    torch._foreach_mul_(gradients, torch.clamp(max_norm / norm.clamp(min=1e-30), max=1.0))
    return norm


def clip_by_value(parameters, limit):
    for p in parameters:
        if p.grad is not None:
            p.grad.detach().clamp_(min=-limit, max=limit)
