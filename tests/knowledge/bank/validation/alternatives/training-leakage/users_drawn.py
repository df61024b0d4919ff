import torch


def prepare(features, users, validation_share=0.25, seed=0):
    distinct = users.unique()
    order = torch.randperm(len(distinct), generator=torch.Generator().manual_seed(seed))
    held = distinct[order[: int(len(distinct) * validation_share)]]
    outside = torch.isin(users, held)
    train, validation = (~outside).nonzero().flatten(), outside.nonzero().flatten()
    mean, std = features[train].mean(0), features[train].std(0)
    return (features[train] - mean) / std, (features[validation] - mean) / std, train, validation
