from functools import partial

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Sequences(Dataset):
    def __init__(self, samples):
        self.samples = samples

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        tokens, label = self.samples[index]
        return torch.tensor(tokens, dtype=torch.long), label


def collate(batch, pad):
    sequences = [tokens for tokens, _ in batch]
    tokens = pad_sequence(sequences, batch_first=True, padding_value=-1)
    mask = tokens >= 0
    tokens = tokens.masked_fill(~mask, pad)
    return {"tokens": tokens, "mask": mask, "labels": torch.tensor([label for _, label in batch])}


def make_loader(samples, batch_size, pad):
    return DataLoader(Sequences(samples), batch_size=batch_size, collate_fn=partial(collate, pad=pad))
