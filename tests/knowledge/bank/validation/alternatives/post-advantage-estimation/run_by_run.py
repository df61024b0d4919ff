import torch


def advantages(rewards, values, ends, last_value, gamma=0.99, trace=0.95):
    found = torch.zeros_like(values.detach())
    for run in range(rewards.shape[1]):
        known = [*values.detach()[:, run], last_value.detach()[run]]
        carried = 0.0
        for step in reversed(range(len(rewards))):
            error = rewards.detach()[step, run] - known[step]
            if ends[step, run]:
                carried = error
            else:
                carried = error + gamma * known[step + 1] + gamma * trace * carried
            found[step, run] = carried
    return found, found + values.detach()
