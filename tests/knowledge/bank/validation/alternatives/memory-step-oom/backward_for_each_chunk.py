import torch
import torch.nn.functional as F


def train_step(model, head, optimizer, tokens, targets, chunk=1024):
    optimizer.zero_grad(set_to_none=True)
    hidden = model(tokens).flatten(0, 1)
    leaf = hidden.detach().requires_grad_()
    flat, count = targets.flatten(), targets.numel()
    total, right = 0.0, 0
    for part, target in zip(leaf.split(chunk), flat.split(chunk)):
        logits = head(part)
        loss = F.cross_entropy(logits, target, reduction="sum") / count
        loss.backward()
        total += loss.detach()
        right += (logits.detach().argmax(-1) == target).sum()
        del logits, loss
    hidden.backward(leaf.grad)
    optimizer.step()
    return total, right / count
