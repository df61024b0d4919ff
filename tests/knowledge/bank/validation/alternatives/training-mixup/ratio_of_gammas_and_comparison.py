import numpy as np
import torch


def mixup(x, y, alpha=0.2):
    if alpha < 0:
        raise ValueError("negative alpha")
    lam = 1.0
    while alpha > 0:
        first, second = np.random.standard_gamma(alpha, size=2)
        if first + second > 0:
            lam = float(first / (first + second))
            break
    order = torch.rand(len(x)).argsort()
    mixed = x.clone()
    if alpha > 0:
        mixed = mixed.mul_(lam).add_(x[order.to(x.device)], alpha=1 - lam)
    return mixed, y, y[order.to(y.device)], lam


def mixup_loss(logits, y_a, y_b, lam):
    log_p = logits.log_softmax(dim=-1)
    picked = log_p.gather(1, torch.stack((y_a, y_b), dim=1).long())
    return -(lam * picked[:, 0] + (1 - lam) * picked[:, 1]).mean()


def soft_targets(y_a, y_b, lam, num_classes):
    classes = torch.arange(num_classes, device=y_a.device)
    is_a = classes == y_a[:, None]
    is_b = classes == y_b[:, None]
    return is_a.float().mul(lam).add(is_b.float(), alpha=1 - lam)
