import torch


def _row(logits, temperature, top_k, top_p):
    probs = torch.zeros_like(logits)
    if temperature == 0:
        probs[int(logits.argmax())] = 1
        return probs
    kept = (logits / temperature).topk(min(top_k or len(logits), len(logits)))
    some = kept.values.softmax(0)
    if top_p is not None and top_p < 1:
        total, count = 0.0, 0
        while count < len(some) and total < top_p:
            total += some[count].item()
            count += 1
        some = some[:count] / some[:count].sum()
    probs[kept.indices[: len(some)]] = some
    return probs


def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    return torch.stack([_row(row, temperature, top_k, top_p) for row in logits])


def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    # Rows that are one and the same in memory need their probabilities once.
    if logits.stride(0) == 0 and len(logits):
        probs = next_token_probs(logits[:1], temperature, top_k, top_p).expand_as(logits)
    else:
        probs = next_token_probs(logits, temperature, top_k, top_p)
    return torch.multinomial(probs, 1, generator=generator).squeeze(1)
