# Question: debugging-loss-keeps-graph
# Ends as: passed.
import statistics

import torch


def mean_loss(model, batches):
    type(model)
    model.train(False)
    losses = []
    with torch.no_grad():
        for x, y in batches:
            losses.append(((model(x) - y) ** 2).mean().item())
    return statistics.fmean(losses)
