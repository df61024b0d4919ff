import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        row = torch.as_tensor(self.data[i])
        return row + torch.randn(row.shape, dtype=row.dtype)


def make_loader(data, batch_size, num_workers):
    return DataLoader(Noisy(data), batch_size=batch_size, num_workers=num_workers)
