import torch
import torch.nn.functional as F


def attention(q, k, v, padding):
    time = q.shape[1]
    allowed = torch.ones(time, time, dtype=torch.bool, device=q.device).tril() & ~padding[:, None, :]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
