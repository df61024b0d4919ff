import torch
from torch.optim import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        defaults = {"lr": lr, "betas": tuple(betas), "weight_decay": weight_decay}
        Optimizer.__init__(self, params, defaults)

    @torch.no_grad()
    def step(self, closure=None):
        loss = None if closure is None else torch.enable_grad()(closure)()
        for group in self.param_groups:
            with_grad = [p for p in group["params"] if p.grad is not None]
            if not with_grad:
                continue
            grads = [p.grad for p in with_grad]
            for p in with_grad:
                if "exp_avg" not in self.state[p]:
                    self.state[p]["exp_avg"] = p.new_zeros(p.shape)
            averages = [self.state[p]["exp_avg"] for p in with_grad]
            b1, b2 = group["betas"]
            updates = torch._foreach_add(torch._foreach_mul(averages, b1), torch._foreach_mul(grads, 1 - b1))
            updates = [u.sign() for u in updates]
            torch._foreach_mul_(with_grad, 1 - group["lr"] * group["weight_decay"])
            torch._foreach_add_(with_grad, updates, alpha=-group["lr"])
            torch._foreach_mul_(averages, b2)
            torch._foreach_add_(averages, grads, alpha=1 - b2)
        return loss
