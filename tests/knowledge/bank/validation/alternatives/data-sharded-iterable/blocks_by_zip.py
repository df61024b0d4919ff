"""Zip makes blocks of one iterator, and leaves an incomplete one out."""

from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Sharded(IterableDataset):
    def __init__(self, make_source, rank=0, world_size=1):
        super().__init__()
        self.make_source = make_source
        self.rank = rank
        self.world_size = world_size

    def __iter__(self):
        info = get_worker_info()
        start, step = (0, 1) if info is None else (info.id, info.num_workers)
        source = iter(self.make_source())
        blocks = zip(*[source] * self.world_size)
        for block in islice(blocks, start, None, step):
            yield block[self.rank]
