import functools

import torch
from torch.utils import data


class Sequences(data.Dataset):
    def __init__(self, samples):
        self.tokens = [torch.tensor(tokens, dtype=torch.int64) for tokens, _ in samples]
        self.labels = [label for _, label in samples]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.tokens[index], self.labels[index]


def collate(batch, pad):
    width = max(len(tokens) for tokens, _ in batch)
    tokens = torch.full((len(batch), width), pad)
    mask = torch.zeros(len(batch), width, dtype=torch.bool)
    for row, (own, _) in enumerate(batch):
        tokens[row, : len(own)] = own
        mask[row, : len(own)] = True
    return {"tokens": tokens, "mask": mask, "labels": torch.tensor([label for _, label in batch])}


def make_loader(samples, batch_size, pad):
    together = functools.partial(collate, pad=pad)
    return data.DataLoader(Sequences(samples), batch_size=batch_size, collate_fn=together)
