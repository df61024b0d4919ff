import torch


def prepare(features, users, validation_share=0.25, seed=0):
    ids = users.unique()
    wanted = int(len(users) * validation_share)
    held = torch.zeros(len(users), dtype=torch.bool)
    for user in ids[torch.randperm(len(ids), generator=torch.Generator().manual_seed(seed))]:
        if held.sum() >= wanted:
            break
        held |= users == user
    train, validation = torch.where(~held)[0], torch.where(held)[0]
    mean, std = features[train].mean(0), features[train].std(0)
    return (features[train] - mean) / std, (features[validation] - mean) / std, train, validation
