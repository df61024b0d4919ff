import torch
from torch.nn.functional import cross_entropy, softplus


def dpo_loss(policy, reference, labels, beta=0.1):
    def answers(logits):
        if logits.dtype != torch.float64:
            logits = logits.float()
        count, length, size = logits.shape
        loss = cross_entropy(
            logits[:, :-1].reshape(-1, size), labels[:, 1:].reshape(-1), ignore_index=-100, reduction="none"
        )
        return -loss.view(count, length - 1).sum(1)

    found = answers(policy)
    with torch.no_grad():
        before = answers(reference)
    ratio = found - before
    half = len(ratio) // 2
    margin = beta * (ratio[:half] - ratio[half:])
    return softplus(-margin).mean(), beta * ratio[:half].detach(), beta * ratio[half:].detach()
