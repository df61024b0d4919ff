import torch
import torch.nn.functional as F


def train_epoch(model, optimizer, micro_batches, accumulate):
    params = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
    steps, seen, means = 0, 0, {}

    def step():
        optimizer.zero_grad(set_to_none=True)
        for p, mean in means.items():
            p.grad = mean
        optimizer.step()

    count = 0
    for count, (x, y) in enumerate(micro_batches, 1):
        loss = F.cross_entropy(model(x), y, reduction="sum") / max(len(y), 1)
        grads = torch.autograd.grad(loss, params, allow_unused=True)
        seen += len(y)
        share = len(y) / max(seen, 1)
        for mean in means.values():
            mean.mul_(1 - share)
        for p, grad in zip(params, grads):
            if grad is not None:
                means[p] = means[p] + share * grad if p in means else share * grad
        if count % accumulate == 0:
            step()
            steps, seen, means = steps + 1, 0, {}
    if count % accumulate:
        step()
        steps += 1
    return steps
