import time

import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, path, length):
        self.path, self.length = path, length
        signal = np.load(path)
        self.count, self.mean, self.std = len(signal) // length, signal.mean(), signal.std()
        self.mapped = None

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if self.mapped is None:
            self.mapped = np.load(self.path, mmap_mode="r")
        window = self.mapped[index * self.length : (index + 1) * self.length]
        return torch.from_numpy((window - self.mean) / self.std)

    def __getstate__(self):
        return {**self.__dict__, "mapped": None}


def time_split(loader, step):
    waited = worked = 0.0
    last = time.perf_counter()
    for batch in loader:
        now = time.perf_counter()
        waited += now - last
        step(batch)
        last = time.perf_counter()
        worked += last - now
    return waited + time.perf_counter() - last, worked
