import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


def train_step(model, head, optimizer, tokens, targets, chunk=1024):
    for parameter in [*model.parameters(), *head.parameters()]:
        parameter.grad = None

    def losses(part, target):
        logits = head(part)
        return F.cross_entropy(logits, target, reduction="none"), logits.argmax(-1) == target

    hidden = model(tokens).reshape(targets.numel(), -1)
    found = [
        checkpoint(losses, hidden[at : at + chunk], targets.view(-1)[at : at + chunk], use_reentrant=False)
        for at in range(0, targets.numel(), chunk)
    ]
    loss = torch.cat([one for one, _ in found]).mean()
    loss.backward()
    optimizer.step()
    return float(loss), float(torch.cat([right for _, right in found]).double().mean())
