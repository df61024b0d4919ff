import torch


def softmax_mean(blocks):
    top, total, weighted = None, 0.0, 0.0
    for scores, values in blocks:
        highest = scores.max(dim=1, keepdim=True).values
        least = torch.finfo(scores.dtype).min / 4
        new = highest.clamp(min=least) if top is None else torch.maximum(top, highest)
        shrink = 0.0 if top is None else (top - new).exp()
        weights = (scores - new).exp()
        total = total * shrink + weights.sum(dim=1, keepdim=True)
        weighted = weighted * shrink + weights @ values
        top = new
    none = total == 0
    mean = torch.where(none, 0.0, weighted / torch.where(none, 1.0, total))
    return mean, torch.where(none, -torch.inf, top + torch.where(none, 1.0, total).log()).squeeze(1)
