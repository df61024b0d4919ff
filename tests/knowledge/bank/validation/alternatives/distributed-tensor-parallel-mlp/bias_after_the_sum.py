import torch
import torch.nn.functional as F


def shard_mlp(gate_up, down, ranks):
    hidden = down.shape[1]
    if hidden % ranks:
        raise ValueError((hidden, ranks))
    gate, up = gate_up[:hidden].chunk(ranks), gate_up[hidden:].chunk(ranks)
    return [(torch.cat(pair), part) for pair, part in zip(zip(gate, up), down.chunk(ranks, 1))]


def parallel_mlp(x, shards, bias, all_reduce):
    partial = []
    for gate_up, down in shards:
        gate, up = F.linear(x, gate_up).chunk(2, -1)
        partial.append((F.silu(gate) * up) @ down.T)
    return all_reduce(partial) + bias
