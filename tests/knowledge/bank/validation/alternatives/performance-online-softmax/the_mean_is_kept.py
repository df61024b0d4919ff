import torch


def softmax_mean(blocks):
    mean = total = None
    for scores, values in blocks:
        new = torch.logsumexp(scores, dim=1)
        finite = new.masked_fill(new == -torch.inf, 0.0)
        part = (scores - finite[:, None]).exp() @ values
        if mean is None:
            mean, total = part, new
            continue
        both = torch.logaddexp(total, new)
        safe = both.masked_fill(both == -torch.inf, 0.0)
        mean = mean * (total - safe).exp()[:, None] + part * (new - safe).exp()[:, None]
        total = both
    return mean, total
