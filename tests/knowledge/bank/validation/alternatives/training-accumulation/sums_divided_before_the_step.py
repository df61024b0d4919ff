import torch.nn.functional as F


def train_epoch(model, optimizer, micro_batches, accumulate):
    steps = batches = samples = 0

    def step():
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.div_(max(samples, 1))
        optimizer.step()
        optimizer.zero_grad()

    optimizer.zero_grad()
    for x, y in micro_batches:
        F.cross_entropy(model(x), y, reduction="sum").backward()
        batches += 1
        samples += len(y)
        if batches == accumulate:
            step()
            steps += 1
            batches = samples = 0
    if batches:
        step()
        steps += 1
    return steps
