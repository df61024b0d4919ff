import torch


def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    scaled = logits / temperature
    order = scaled.argsort(dim=-1, descending=True)
    ranks = torch.empty_like(order).scatter_(-1, order, torch.arange(logits.shape[-1]).expand_as(order))
    if top_k is not None:
        scaled = scaled.masked_fill(ranks >= top_k, -torch.inf)
    probs = scaled.softmax(-1)
    if top_p is not None and top_p != 1:
        largest_first = probs.gather(-1, order)
        needed = (largest_first.cumsum(-1) < top_p).sum(-1, keepdim=True) + 1
        probs = probs * (ranks < needed)
        probs = probs / probs.sum(-1, keepdim=True)
    return probs


def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    return torch.multinomial(next_token_probs(logits, temperature, top_k, top_p), 1, generator=generator)[:, 0]
