import torch


def advantages(rewards, values, ends, last_value, gamma=0.99, trace=0.95):
    rewards, values, last_value = rewards.detach(), values.detach(), last_value.detach()
    following = torch.cat([values[1:], last_value[None]]).masked_fill(ends, 0)
    errors = rewards + gamma * following - values
    found, running = [], torch.zeros_like(last_value)
    for error, end in zip(reversed(errors.unbind()), reversed(ends.unbind()), strict=True):
        running = error + gamma * trace * running.masked_fill(end, 0)
        found.insert(0, running)
    stacked = torch.stack(found)
    return stacked, stacked + values
