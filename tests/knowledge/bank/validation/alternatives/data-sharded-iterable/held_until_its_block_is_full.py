"""A rank's sample is held until the last one of its block has come."""

from torch.utils.data import IterableDataset, get_worker_info


class Sharded(IterableDataset):
    def __init__(self, make_source, rank=0, world_size=1):
        self.make_source = make_source
        self.rank = rank
        self.world_size = world_size

    def __iter__(self):
        info = get_worker_info()
        wid = info.id if info is not None else 0
        nw = info.num_workers if info is not None else 1
        mine = None
        for i, sample in enumerate(self.make_source()):
            group, place = divmod(i, self.world_size)
            if place == self.rank:
                mine = sample
            if place == self.world_size - 1 and group % nw == wid:
                yield mine
