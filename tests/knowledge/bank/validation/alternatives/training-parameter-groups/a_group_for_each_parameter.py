def parameter_groups(model, lr, weight_decay, layer_decay):
    n = len(model.blocks)
    place = {}
    for name, module in model.named_children():
        if name == "embed":
            for p in module.parameters():
                place.setdefault(id(p), n)
        elif name == "blocks":
            for i, block in enumerate(module):
                for p in block.parameters():
                    place.setdefault(id(p), n - 1 - i)
        else:
            for p in module.parameters():
                place.setdefault(id(p), 0)
    groups = []
    for p in model.parameters():
        if p.requires_grad:
            rate = lr * layer_decay ** place.get(id(p), 0)
            groups.append({"params": p, "lr": rate, "weight_decay": weight_decay if p.dim() > 1 else 0.0})
    return groups
