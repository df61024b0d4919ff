import torch
import torch.nn.functional as F
from torch.func import functional_call, jacrev


def clipped_gradient(model, x, y, limit):
    params = {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}

    def losses(params):
        return F.cross_entropy(functional_call(model, params, (x,)), y, reduction="none")

    rows = {name: j.detach() for name, j in jacrev(losses)(params).items()}
    norms = torch.cat([j.flatten(1) for j in rows.values()], dim=1).norm(dim=1)
    weights = torch.clamp(limit / (norms + 1e-30), max=1.0) / len(x)
    return {name: (weights @ j.flatten(1)).view(j.shape[1:]) for name, j in rows.items()}, norms
