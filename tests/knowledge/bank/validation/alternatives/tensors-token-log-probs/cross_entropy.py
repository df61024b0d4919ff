import torch
import torch.nn.functional as F


def token_log_probs(logits, tokens, ignore=-100):
    targets = tokens[:, 1:]
    vocabulary = logits.shape[-1]
    marked = torch.where(targets == ignore, -100, targets).reshape(-1)
    loss = F.cross_entropy(logits[:, :-1].reshape(-1, vocabulary), marked, reduction="none", ignore_index=-100)
    return -loss.view(targets.shape)
