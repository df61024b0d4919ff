import torch
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value, vmap


def clipped_gradient(model, x, y, limit):
    trained = {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}

    def one(trained, sample, label):
        return F.cross_entropy(functional_call(model, trained, sample.unsqueeze(0)), label.unsqueeze(0))

    with torch.no_grad():
        gradients, _ = vmap(grad_and_value(one), (None, 0, 0))(trained, x, y)
        norms = sum(g.reshape(len(x), -1).square().sum(1) for g in gradients.values()).sqrt()
        factor = torch.where(norms > limit, limit / norms, torch.ones_like(norms))
        mean = {}
        for name, g in gradients.items():
            mean[name] = (g * factor.view(-1, *[1] * (g.ndim - 1))).mean(0)
    return mean, norms
