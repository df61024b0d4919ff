import torch
from torch.nn.functional import binary_cross_entropy_with_logits


def dpo_loss(policy, reference, labels, beta=0.1):
    targets = labels[:, 1:]
    counts = targets.ne(-100)
    picks = torch.where(counts, targets, torch.zeros_like(targets)).unsqueeze(-1)
    if policy.dtype != torch.float64:
        policy, reference = policy.float(), reference.float()

    def total(logits):
        tokens = torch.log_softmax(logits[:, :-1], -1).gather(2, picks).squeeze(-1)
        return torch.where(counts, tokens, torch.zeros_like(tokens)).sum(1)

    gained = total(policy) - total(reference).detach()
    pairs = beta * gained.view(2, -1)
    margin = pairs[0] - pairs[1]
    loss = binary_cross_entropy_with_logits(margin, torch.ones_like(margin))
    pairs = pairs.detach()
    return loss, pairs[0], pairs[1]
