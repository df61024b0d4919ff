import torch


def grpo_loss(log_probs, old_log_probs, rewards, mask, group_size, clip=0.2):
    rewards = rewards.detach()
    total, count = log_probs.new_zeros(()), 0
    for number in range(len(rewards)):
        first = number // group_size * group_size
        group = rewards[first : first + group_size]
        advantage = (rewards[number] - group.mean()) / (group.std(unbiased=False) + 1e-4)
        kept = mask[number]
        ratio = (log_probs[number][kept] - old_log_probs[number][kept].detach()).exp()
        bounded = ratio.clamp(max=1 + clip) if advantage >= 0 else ratio.clamp(min=1 - clip)
        total = total + (bounded * advantage).sum()
        count += len(ratio)
    return -total / max(count, 1)
