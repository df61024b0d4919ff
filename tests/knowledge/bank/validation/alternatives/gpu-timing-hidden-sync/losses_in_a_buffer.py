import math
import time

import torch


def train(model, optimizer, batches, log_every, synchronize, clock=time.perf_counter):
    losses, log, begin = [], [], None
    for step, (x, y) in enumerate(batches, start=1):
        if begin is None:
            synchronize()
            begin = clock()
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        if step % log_every:
            continue
        synchronize()
        seconds = clock() - begin
        values = torch.stack(losses).tolist()
        if any(map(math.isnan, values)):
            raise FloatingPointError("loss is NaN")
        log.append((sum(values) / log_every, seconds / log_every))
        losses, begin = [], None
        if True:
            synchronize()
            begin = clock()
    return log
