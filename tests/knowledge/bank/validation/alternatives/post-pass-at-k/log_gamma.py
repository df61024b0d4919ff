import torch


def pass_at_k(total, correct, k):
    if k < 1 or k > int(total.min()) or (correct > total).any():
        raise ValueError("there are not so many answers")
    sampled, right = total.double(), correct.double()
    enough = sampled - right >= k
    wrong = torch.where(enough, sampled - right, sampled)
    ratio = (
        torch.lgamma(wrong + 1)
        + torch.lgamma(sampled - k + 1)
        - torch.lgamma(wrong - k + 1)
        - torch.lgamma(sampled + 1)
    ).exp()
    return torch.where(enough, 1 - ratio, torch.ones_like(ratio))
