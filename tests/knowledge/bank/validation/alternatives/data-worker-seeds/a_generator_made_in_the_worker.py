import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, data):
        self.data, self.rng = data, None

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        if self.rng is None:
            self.rng = np.random.default_rng(torch.initial_seed())
        return self.data[i] + self.rng.normal(size=self.data[i].shape)


def make_loader(data, batch_size, num_workers):
    return DataLoader(Noisy(data), batch_size=batch_size, num_workers=num_workers)
