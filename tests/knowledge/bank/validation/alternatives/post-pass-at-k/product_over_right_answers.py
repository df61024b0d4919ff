import torch


def pass_at_k(total, correct, k):
    found = torch.zeros(len(total), dtype=torch.float64)
    for place, (sampled, right) in enumerate(zip(total.tolist(), correct.tolist(), strict=True)):
        if k < 1 or k > sampled or right > sampled:
            raise ValueError("there are not so many answers")
        if sampled - right < k:
            found[place] = 1.0
            continue
        wrong = 1.0
        for number in range(sampled - right + 1, sampled + 1):
            wrong *= 1 - k / number
        found[place] = 1 - wrong
    return found
