"""A dispatch mask of tokens, choices and experts, as in the Switch papers."""

import torch
import torch.nn.functional as F


def route(logits, k, capacity):
    values, chosen = logits.topk(k, dim=-1)
    mask = F.one_hot(chosen, logits.shape[-1])
    used = torch.zeros(logits.shape[-1], dtype=torch.int64)
    kept = []
    for choice in range(k):
        place = mask[:, choice].cumsum(0) - 1 + used
        kept.append((place * mask[:, choice]).sum(-1) < capacity)
        used = used + mask[:, choice].sum(0)
    return chosen, torch.softmax(values, -1), torch.stack(kept, dim=1)


def moe(x, logits, experts, k, capacity):
    chosen, weights, kept = route(logits, k, capacity)
    gates = (F.one_hot(chosen, len(experts)).to(x.dtype) * (weights * kept)[..., None]).sum(1)
    taken = (F.one_hot(chosen, len(experts)).bool() & kept[..., None]).any(1)
    rows = []
    for token_rows in taken.t():
        rows.append(token_rows.nonzero().squeeze(1))
    out = x.new_zeros(x.shape)
    for e, mine in enumerate(rows):
        if mine.numel():
            full = x.new_zeros(x.shape)
            out = out + full.index_copy(0, mine, experts[e](x[mine]) * gates[mine, e].unsqueeze(-1))
    return out


def balance_loss(logits, k):
    chosen = logits.topk(k).indices
    share = F.one_hot(chosen, logits.shape[-1]).sum((0, 1)).to(logits.dtype) / chosen.numel()
    return (share.detach() @ torch.softmax(logits, -1).mean(0)) * logits.shape[-1]
