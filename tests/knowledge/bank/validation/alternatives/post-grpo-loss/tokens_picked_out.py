import torch


def grpo_loss(log_probs, old_log_probs, rewards, mask, group_size, clip=0.2):
    with torch.no_grad():
        groups = rewards.view(-1, group_size)
        centered = groups - groups.mean(1, keepdim=True)
        spread = (centered**2).mean(1, keepdim=True).sqrt()
        weights = (centered / (spread + 1e-4)).flatten().repeat_interleave(mask.sum(1))
    if not mask.any():
        return log_probs.new_zeros(())
    ratio = torch.exp(log_probs[mask] - old_log_probs[mask].detach())
    return torch.max(-ratio * weights, -torch.clamp(ratio, 1 - clip, 1 + clip) * weights).mean()
