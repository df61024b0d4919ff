"""Workers take eight blocks in a row, and ranks take turns at the places in a block."""

from torch.utils.data import IterableDataset, get_worker_info


class Sharded(IterableDataset):
    def __init__(self, make_source, rank=0, world_size=1):
        self.make_source, self.rank, self.world_size = make_source, rank, world_size

    def __iter__(self):
        info = get_worker_info()
        wid, nw = (info.id, info.num_workers) if info else (0, 1)
        group = []
        done = 0
        for sample in self.make_source():
            group.append(sample)
            if len(group) == self.world_size:
                if done // 8 % nw == wid:
                    yield group[(self.rank + done) % self.world_size]
                group = []
                done += 1
