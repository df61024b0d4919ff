import torch


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(
            params, {"lr": lr, "beta1": betas[0], "beta2": betas[1], "betas": betas, "weight_decay": weight_decay}
        )

    def add_param_group(self, param_group):
        super().add_param_group(param_group)
        for p in self.param_groups[-1]["params"]:
            self.state[p] = {"momentum": torch.zeros_like(p, memory_format=torch.preserve_format).detach()}

    def step(self, closure=None):
        loss = None
        if closure:
            with torch.set_grad_enabled(True):
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                rate, (first, second) = group["lr"], group["betas"]
                for p in filter(lambda p: p.grad is not None, group["params"]):
                    momentum = self.state[p]["momentum"]
                    direction = torch.sign(torch.lerp(p.grad, momentum, first))
                    p.copy_(p * (1 - rate * group["weight_decay"]) - rate * direction)
                    momentum.lerp_(p.grad, 1 - second)
        return loss
