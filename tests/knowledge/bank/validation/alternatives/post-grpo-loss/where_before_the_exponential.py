import torch


def grpo_loss(log_probs, old_log_probs, rewards, mask, group_size, clip=0.2):
    shaped = rewards.detach().unflatten(0, (-1, group_size))
    spread, mean = torch.std_mean(shaped, dim=-1, correction=0, keepdim=True)
    advantage = ((shaped - mean) / (spread + 1e-4)).flatten()[:, None]
    zeros = torch.zeros_like(log_probs)
    moved = torch.where(mask, log_probs, zeros) - torch.where(mask, old_log_probs.detach(), zeros)
    ratio = moved.exp()
    loss = -torch.minimum(ratio * advantage, ratio.clip(1 - clip, 1 + clip) * advantage)
    return torch.where(mask, loss, zeros).sum() / mask.sum().clamp_min(1)
