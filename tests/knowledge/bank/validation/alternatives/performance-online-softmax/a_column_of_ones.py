import torch


def softmax_mean(blocks):
    state = None
    for scores, values in blocks:
        values = torch.cat([values, values.new_ones(len(values), 1)], dim=1)
        top = scores.amax(dim=1)
        level = torch.where(top.isneginf(), torch.zeros_like(top), top)
        sums = torch.exp(scores - level.unsqueeze(1)) @ values
        if state is not None:
            old_top, old_sums = state
            new_top = torch.maximum(old_top, top)
            shift = torch.where(new_top.isneginf(), torch.zeros_like(new_top), new_top)
            sums = sums * torch.exp(top - shift).unsqueeze(1) + old_sums * torch.exp(old_top - shift).unsqueeze(1)
            top = new_top
        state = top, sums
    top, sums = state
    weight = sums[:, -1]
    mean = sums[:, :-1] / weight.masked_fill(weight == 0, 1).unsqueeze(1)
    return mean, top + weight.log()
