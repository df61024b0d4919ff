from collections import defaultdict


def parameter_groups(model, lr, weight_decay, layer_decay):
    rates, rate = {}, lr
    for i in reversed(range(len(model.blocks))):
        rates[f"blocks.{i}."] = rate
        rate *= layer_decay
    rates["embed."] = rate
    buckets = defaultdict(list)
    for name, p in model.named_parameters():
        if p.requires_grad:
            own = next((r for begin, r in rates.items() if name.startswith(begin)), lr)
            buckets[own, weight_decay if p.ndim > 1 else 0.0].append(p)
    return [{"params": iter(v), "lr": r, "weight_decay": d} for (r, d), v in buckets.items()]
