import torch


def token_log_probs(logits, tokens, ignore=-100):
    batch, length, _ = logits.shape
    result = logits.new_zeros(batch, length - 1)
    rows, places = (tokens[:, 1:] != ignore).nonzero(as_tuple=True)
    z = logits[rows, places]
    picked = z[torch.arange(len(rows)), tokens[rows, places + 1]] - torch.logsumexp(z, -1)
    return result.index_put((rows, places), picked)
