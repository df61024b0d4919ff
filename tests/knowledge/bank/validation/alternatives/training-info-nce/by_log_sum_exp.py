import torch
import torch.nn.functional as F


def info_nce(a, b, temperature=0.07, ids=None):
    scores = F.cosine_similarity(a[:, None, :], b[None, :, :], dim=-1) / temperature
    right = scores.diagonal()
    if ids is None:
        ids = torch.arange(len(a), device=a.device)
    counts = (ids[:, None] != ids) | torch.eye(len(a), dtype=torch.bool, device=a.device)
    scores = torch.where(counts, scores, torch.full_like(scores, -torch.inf))
    losses = (scores.logsumexp(1) - right) + (scores.logsumexp(0) - right)
    return losses.mean() / 2
