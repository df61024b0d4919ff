import torch


def token_log_probs(logits, tokens, ignore=-100):
    following = tokens[:, 1:, None]
    keep = following != ignore
    logp = torch.log_softmax(logits[:, :-1], -1)
    return torch.take_along_dim(logp, torch.where(keep, following, 0), -1).where(keep, 0).squeeze(-1)
