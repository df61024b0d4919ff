import random

import torch
import torch.nn.functional as F


def mixup(x, y, alpha=0.2):
    if alpha < 0:
        raise ValueError(f"alpha is {alpha}, but must be at least 0")
    lam = random.betavariate(alpha, alpha) if alpha else 1.0
    order = list(range(x.shape[0]))
    random.shuffle(order)
    order = torch.tensor(order, dtype=torch.long)
    work = x if x.dtype == torch.float64 else x.float()
    other = work.index_select(0, order.to(x.device))
    mixed = work * lam + other * (1 - lam) if alpha else work.clone()
    mixed = mixed.to(x.dtype)
    return mixed, y, y[order.to(y.device)], lam


def mixup_loss(logits, y_a, y_b, lam):
    targets = soft_targets(y_a, y_b, lam, logits.shape[1]).to(logits.dtype)
    return F.cross_entropy(logits, targets)


def soft_targets(y_a, y_b, lam, num_classes):
    one_a = F.one_hot(y_a.long(), num_classes).to(torch.float32)
    one_b = F.one_hot(y_b.long(), num_classes).to(torch.float32)
    return lam * one_a + (1 - lam) * one_b
