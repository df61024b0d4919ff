import torch


def advantages(rewards, values, ends, last_value, gamma=0.99, trace=0.95):
    with torch.no_grad():
        targets = torch.empty_like(values)
        target = following = last_value
        for step in range(len(rewards) - 1, -1, -1):
            alive = 1 - ends[step].to(values.dtype)
            target = rewards[step] + gamma * alive * ((1 - trace) * following + trace * target)
            targets[step] = target
            following = values[step]
        return targets - values, targets
