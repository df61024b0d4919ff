import torch
import torch.nn.functional as F


def mixup(x, y, alpha=0.2):
    if alpha < 0:
        raise ValueError("alpha must not be negative")
    partner = torch.randperm(len(x), device=x.device)
    if alpha == 0:
        return x.clone(), y, y[partner.to(y.device)], 1.0
    a = torch.tensor(float(alpha), dtype=torch.float64)
    lam = torch.distributions.Beta(a, a).sample().item()
    return torch.lerp(x[partner], x, lam), y, y[partner.to(y.device)], lam


def mixup_loss(logits, y_a, y_b, lam):
    return lam * F.cross_entropy(logits, y_a.long()) + (1 - lam) * F.cross_entropy(logits, y_b.long())


def soft_targets(y_a, y_b, lam, num_classes):
    index = torch.stack([y_a, y_b], dim=1).long()
    weight = torch.tensor([lam, 1 - lam], dtype=torch.float32, device=y_a.device).expand(len(y_a), 2)
    rows = torch.zeros(len(y_a), num_classes, device=y_a.device)
    return rows.scatter_add_(1, index, weight)
