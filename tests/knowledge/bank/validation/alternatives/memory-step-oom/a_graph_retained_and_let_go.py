import torch
import torch.nn.functional as F


def train_step(model, head, optimizer, tokens, targets, chunk=1024):
    optimizer.zero_grad()
    hidden = model(tokens).flatten(0, 1)
    flat = targets.flatten()
    total, right = 0.0, 0
    for start in range(0, len(flat), chunk):
        logits = head(hidden[start : start + chunk])
        wanted = flat[start : start + chunk]
        probs = logits.softmax(-1)
        loss = -probs.log().gather(1, wanted[:, None]).sum() / len(flat)
        loss.backward(retain_graph=True)
        total, right = total + loss.item(), right + (logits.argmax(-1) == wanted).sum().item()
        del loss, logits, probs
    optimizer.step()
    return total, right / len(flat)
