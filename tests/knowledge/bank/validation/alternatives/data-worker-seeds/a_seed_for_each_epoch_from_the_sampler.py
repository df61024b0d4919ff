import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        if not isinstance(index, tuple):
            index = index, int(torch.randint(2**62, ()))
        place, seed = index
        row = self.data[place]
        return row + np.random.default_rng([seed, place]).normal(size=row.shape)


class Seeded:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __iter__(self):
        seed = int(torch.randint(2**62, ()))
        return ((place, seed) for place in range(self.size))


def make_loader(data, batch_size, num_workers):
    return DataLoader(Noisy(data), batch_size=batch_size, sampler=Seeded(len(data)), num_workers=num_workers)
