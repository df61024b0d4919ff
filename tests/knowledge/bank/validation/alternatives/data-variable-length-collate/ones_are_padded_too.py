import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Sequences(Dataset):
    def __init__(self, samples):
        self.samples = list(samples)

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, at):
        return torch.LongTensor(self.samples[at][0]), int(self.samples[at][1])


class Collate:
    def __init__(self, pad):
        self.pad = pad

    def __call__(self, batch):
        return collate(batch, self.pad)


def collate(batch, pad):
    tokens, labels = zip(*batch)
    return {
        "tokens": pad_sequence(list(tokens), True, pad),
        "mask": pad_sequence([torch.ones_like(each, dtype=torch.bool) for each in tokens], True, False),
        "labels": torch.as_tensor(labels),
    }


def make_loader(samples, batch_size, pad):
    return DataLoader(Sequences(samples), batch_size, collate_fn=Collate(pad))
