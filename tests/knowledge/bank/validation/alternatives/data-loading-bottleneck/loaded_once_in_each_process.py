import time

import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, path, length):
        self.path, self.length = path, length
        self._prepare()

    def _prepare(self):
        signal = torch.from_numpy(np.load(self.path))
        self.mean, self.std = signal.mean(), signal.std(unbiased=False)
        self.windows = signal[: len(signal) // self.length * self.length].view(-1, self.length)

    def __reduce__(self):
        return Windows, (self.path, self.length)

    def __len__(self):
        return len(self.windows)

    def __getitem__(self, index):
        return (self.windows[index] - self.mean) / self.std


def time_split(loader, step):
    clock = time.perf_counter
    waited, worked, begin = 0.0, 0.0, clock()
    batches = iter(loader)
    done = object()
    while True:
        batch = next(batches, done)
        got = clock()
        waited += got - begin
        if batch is done:
            return waited, worked
        step(batch)
        begin = clock()
        worked += begin - got
