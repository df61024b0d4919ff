import torch
import torch.nn.functional as F


def shard_mlp(gate_up, down, ranks):
    hidden = gate_up.shape[0] // 2
    if hidden % ranks != 0:
        raise ValueError("uneven")
    made = []
    for rank in range(ranks):
        units = torch.arange(rank, hidden, ranks)
        made.append((gate_up[torch.cat([units, units + hidden])], down[:, units]))
    return made


def parallel_mlp(x, shards, bias, all_reduce):
    outputs = []
    for gate_up, down in shards:
        both = F.linear(x, gate_up)
        gate, up = both[..., : down.shape[1]], both[..., down.shape[1] :]
        outputs.append(F.linear(gate * torch.sigmoid(gate) * up, down))
    return torch.add(all_reduce(outputs), bias)
