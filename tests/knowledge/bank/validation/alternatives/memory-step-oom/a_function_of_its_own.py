import torch
import torch.nn.functional as F


class _ChunkedLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, targets, chunk):
        total, right = hidden.new_zeros(()), 0
        grad_hidden, grad_weight = torch.zeros_like(hidden), torch.zeros_like(weight)
        for start in range(0, len(hidden), chunk):
            part, target = hidden[start : start + chunk], targets[start : start + chunk]
            logits = part @ weight.T
            right += int((logits.argmax(-1) == target).sum())
            total += F.cross_entropy(logits, target, reduction="sum")
            logits = logits.softmax(-1)
            logits[torch.arange(len(target)), target] -= 1
            grad_hidden[start : start + chunk] = logits @ weight
            grad_weight += logits.T @ part
            del logits
        ctx.save_for_backward(grad_hidden / len(hidden), grad_weight / len(hidden))
        ctx.mark_non_differentiable()
        return total / len(hidden), torch.tensor(right / len(hidden))

    @staticmethod
    def backward(ctx, grad, _):
        by_hidden, by_weight = ctx.saved_tensors
        return grad * by_hidden, grad * by_weight, None, None


def train_step(model, head, optimizer, tokens, targets, chunk=1024):
    optimizer.zero_grad()
    hidden = model(tokens)
    loss, right = _ChunkedLoss.apply(hidden.flatten(0, 1), head.weight, targets.flatten(), chunk)
    loss.backward()
    optimizer.step()
    return loss.detach(), right
