import torch


def change_rate(frames, stamps):
    rates = []
    for before, after, start, end in zip(frames[:-1], frames[1:], stamps[:-1], stamps[1:]):
        change = (after.float() - before.float()).abs().mean().item()
        rates.append(change / (end - start))
    return torch.tensor(rates)
