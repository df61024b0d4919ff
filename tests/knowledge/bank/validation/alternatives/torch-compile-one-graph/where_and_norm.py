import torch


def pool(hidden, lengths, limit):
    valid = (torch.arange(hidden.shape[1], device=hidden.device) < lengths[:, None])[..., None]
    count = torch.clamp(lengths, min=1)[:, None].to(hidden.dtype)
    vectors = torch.where(valid, hidden, torch.zeros_like(hidden)).sum(1) / count
    norms = vectors.norm(dim=1, keepdim=True)
    long = norms > limit
    safe = torch.where(long, norms, torch.ones_like(norms))
    return torch.where(long, vectors * (limit / safe), vectors), long.sum()
