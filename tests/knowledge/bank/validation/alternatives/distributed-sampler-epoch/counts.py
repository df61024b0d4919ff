from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train_order(dataset, rank, world_size, epochs):
    sampler = DistributedSampler(dataset, world_size, rank, shuffle=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    orders = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        orders.append([sample for batch in loader for sample in batch.tolist()])
    return orders


def evaluate(dataset, is_right, rank, world_size):
    mine = range(rank, len(dataset), world_size)
    return sum(bool(is_right(dataset[i])) for i in mine), len(mine)


def accuracy(contributions):
    return sum(right for right, _ in contributions) / sum(count for _, count in contributions)
