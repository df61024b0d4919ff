import torch


def change_rate(frames, stamps):
    since = torch.tensor([stamp - stamps[0] for stamp in stamps])
    wide = frames.long()
    change = (wide[1:] - wide[:-1]).abs().double().mean(dim=(1, 2))
    return change / (since[1:] - since[:-1])
