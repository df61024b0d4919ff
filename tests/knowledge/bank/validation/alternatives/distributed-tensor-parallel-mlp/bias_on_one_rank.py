import torch
from torch.nn.functional import silu


def shard_mlp(gate_up, down, ranks):
    width, hidden = down.shape
    size, rest = divmod(hidden, ranks)
    if rest:
        raise ValueError(f"{hidden} rows for {ranks} ranks")
    stacked = gate_up.reshape(2, ranks, size, width)
    return [(stacked[:, r].reshape(2 * size, width), down[:, r * size : (r + 1) * size]) for r in range(ranks)]


def parallel_mlp(x, shards, bias, all_reduce):
    def local(rank):
        gate_up, down = shards[rank]
        half = len(gate_up) // 2
        inner = silu(x @ gate_up[:half].t()) * (x @ gate_up[half:].t())
        return inner @ down.t() + (bias if rank == 0 else 0)

    return all_reduce([local(rank) for rank in range(len(shards))])
