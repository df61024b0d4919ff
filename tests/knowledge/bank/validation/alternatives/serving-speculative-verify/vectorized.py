"""All places are tested at once; the number kept is where the first rejection stands."""

import torch


def verify(draft, target, tokens, uniforms):
    k = len(tokens)
    at = torch.arange(k)
    accepted = uniforms[:k] * draft[at, tokens] < target[at, tokens]
    kept = int(accepted.long().cumprod(0).sum())
    weights = target[kept] if kept == k else torch.relu(target[kept] - draft[kept])
    running = torch.cumsum(weights.to(torch.float64), 0)
    above = torch.nonzero(running > float(uniforms[-1]) * running[-1])
    return tokens[:kept].tolist() + [int(above[0, 0])]


def expected_tokens(rate, k):
    powers = torch.tensor(float(rate), dtype=torch.float64) ** torch.arange(k + 1, dtype=torch.float64)
    return powers.sum().item()
