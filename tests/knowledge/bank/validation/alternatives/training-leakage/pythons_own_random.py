import random

import torch


def prepare(features, users, validation_share=0.25, seed=0):
    people = sorted(set(users.tolist()))
    held = set(random.Random(seed).sample(people, int(validation_share * len(people))))
    train = torch.tensor([i for i, user in enumerate(users.tolist()) if user not in held])
    validation = torch.tensor([i for i, user in enumerate(users.tolist()) if user in held])
    std, mean = torch.std_mean(features[train], dim=0)
    standard = lambda rows: (features[rows] - mean) / std
    return standard(train), standard(validation), train, validation
