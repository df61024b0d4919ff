import torch


def prepare(features, users, validation_share=0.25, seed=0):
    generator = torch.Generator().manual_seed(seed)
    ids, who = torch.unique(users, return_inverse=True)
    count = round(len(ids) * validation_share)
    is_held = torch.zeros(len(ids), dtype=torch.bool)
    is_held[torch.randperm(len(ids), generator=generator)[:count]] = True
    rows = torch.randperm(len(users), generator=generator)
    validation, train = rows[is_held[who[rows]]], rows[~is_held[who[rows]]]
    known = features.index_select(0, train)
    scaled = (features - known.mean(0, keepdim=True)) / known.std(0, keepdim=True)
    return scaled[train], scaled[validation], train, validation
