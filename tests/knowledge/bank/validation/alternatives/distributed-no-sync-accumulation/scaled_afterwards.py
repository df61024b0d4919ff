import torch.nn.functional as F


def _groups(batches, size):
    group = []
    for batch in batches:
        group.append(batch)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def train_epoch(model, optimizer, batches, accumulate):
    count = 0
    for *earlier, (last_x, last_y) in _groups(batches, accumulate):
        with model.no_sync():
            for x, y in earlier:
                F.mse_loss(model(x), y).backward()
        F.mse_loss(model(last_x), last_y).backward()
        for parameter in model.parameters():
            parameter.grad /= len(earlier) + 1
        optimizer.step()
        optimizer.zero_grad()
        count += 1
    return count
