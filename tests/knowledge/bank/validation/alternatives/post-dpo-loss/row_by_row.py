import torch


def dpo_loss(policy, reference, labels, beta=0.1):
    kind = torch.float64 if policy.dtype == torch.float64 else torch.float32
    found = []
    for logits in (policy, reference.detach()):
        sums = []
        for row, own in zip(logits.to(kind), labels, strict=True):
            where = (own[1:] != -100).nonzero()[:, 0]
            kept = row[where]
            sums.append((kept[torch.arange(len(where)), own[where + 1]] - kept.logsumexp(-1)).sum())
        found.append(torch.stack(sums))
    rewards = beta * (found[0] - found[1])
    half = len(rewards) // 2
    margin = rewards[:half] - rewards[half:]
    return -torch.nn.LogSigmoid()(margin).mean(), rewards[:half].detach(), rewards[half:].detach()
