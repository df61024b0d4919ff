import torch


def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        winner = logits.argmax(-1, keepdim=True)
        masked = torch.full_like(logits, float("-inf")).scatter(-1, winner, 0.0)
        return masked.softmax(-1)
    scaled = logits / temperature
    if top_k is not None and top_k < logits.shape[-1]:
        best = scaled.topk(top_k, dim=-1)
        scaled = torch.full_like(scaled, float("-inf")).scatter(-1, best.indices, best.values)
    if top_p is not None and top_p < 1.0:
        values, order = scaled.sort(descending=True, dim=-1)
        cumulative = values.softmax(-1).cumsum(-1)
        drop = cumulative >= top_p
        drop = torch.cat([torch.zeros_like(drop[:, :1]), drop[:, :-1]], dim=-1)
        scaled = scaled.masked_fill(torch.zeros_like(drop).scatter(-1, order, drop), float("-inf"))
    return scaled.softmax(-1)


def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    probs = next_token_probs(logits, temperature, top_k, top_p)
    draws = torch.rand(len(probs), 1, dtype=torch.float64, generator=generator)
    ends = probs.double().cumsum(-1)
    chosen = torch.searchsorted(ends, draws * ends[:, -1:], right=True)
    return chosen.clamp(max=probs.shape[-1] - 1).squeeze(-1)
