from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train_order(dataset, rank, world_size, epochs):
    found = []
    for epoch in range(epochs):
        sampler = DistributedSampler(dataset, world_size, rank, shuffle=True, seed=1000 + epoch)
        loader = DataLoader(dataset, batch_size=4, sampler=sampler)
        found.append([sample for batch in loader for sample in batch.tolist()])
    return found


def evaluate(dataset, is_right, rank, world_size):
    sampler = DistributedSampler(dataset, world_size, rank, shuffle=False)
    real = (len(dataset) - rank + world_size - 1) // world_size
    indices = list(sampler)[: max(real, 0)]
    return {"right": sum(is_right(dataset[i]) for i in indices), "seen": len(indices)}


def accuracy(contributions):
    seen = sum(part["seen"] for part in contributions)
    return sum(part["right"] for part in contributions) / seen
