from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train_order(dataset, rank, world_size, epochs):
    sampler = DistributedSampler(dataset, world_size, rank)

    def epoch(number):
        sampler.set_epoch(number)
        return [int(one) for batch in DataLoader(dataset, 4, sampler=sampler) for one in batch]

    return [epoch(number) for number in range(1, epochs + 1)]


def evaluate(dataset, is_right, rank, world_size):
    size = -(-len(dataset) // world_size)
    return [is_right(dataset[i]) for i in range(rank * size, min((rank + 1) * size, len(dataset)))]


def accuracy(contributions):
    verdicts = [one for part in contributions for one in part]
    return verdicts.count(True) / len(verdicts)
