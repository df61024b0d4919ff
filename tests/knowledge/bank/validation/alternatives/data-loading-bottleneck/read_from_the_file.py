import os
import time

import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, path, length):
        self.path, self.length = str(path), length
        whole = np.load(path)
        self.dtype = whole.dtype
        self.offset = os.path.getsize(path) - whole.nbytes
        self.number = whole.shape[0] // length
        self.centre, self.spread = whole.mean(), whole.std()

    def __len__(self):
        return self.number

    def __getitem__(self, index):
        size = self.dtype.itemsize
        window = np.fromfile(self.path, self.dtype, self.length, offset=self.offset + index * self.length * size)
        return torch.tensor((window - self.centre) / self.spread)


def time_split(loader, step):
    spent = [0.0]

    def timed(batch):
        begin = time.perf_counter()
        step(batch)
        spent[0] += time.perf_counter() - begin

    begin = time.perf_counter()
    for batch in loader:
        timed(batch)
    return time.perf_counter() - begin - spent[0], spent[0]
