def parameter_groups(model, lr, weight_decay, layer_decay):
    blocks = list(model.blocks)
    owner = {}
    for name, parameter in model.named_parameters():
        owner[parameter] = name.split(".")[:2]

    def both(chosen, rate):
        chosen = [parameter for parameter in chosen if parameter.requires_grad]
        return [
            {"params": [p for p in chosen if p.ndim > 1], "lr": rate, "weight_decay": weight_decay},
            {"params": [p for p in chosen if p.ndim < 2], "lr": rate, "weight_decay": 0.0},
        ]

    groups = both([p for p, parts in owner.items() if parts[0] == "embed"], lr * layer_decay ** len(blocks))
    for i in range(len(blocks)):
        rate = lr * layer_decay ** (len(blocks) - 1 - i)
        groups += both([p for p, parts in owner.items() if parts == ["blocks", str(i)]], rate)
    groups += both([p for p, parts in owner.items() if parts[0] not in ("embed", "blocks")], lr)
    return [group for group in groups if group["params"]]
