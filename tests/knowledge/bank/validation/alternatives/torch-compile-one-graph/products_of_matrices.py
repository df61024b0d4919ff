import torch


def pool(hidden, lengths, limit):
    places = torch.arange(hidden.shape[1], device=hidden.device)
    valid = places[None] < lengths[:, None]
    precise = torch.promote_types(hidden.dtype, torch.float32)
    weights = valid.to(precise) / lengths.clamp(min=1)[:, None]
    clean = hidden.masked_fill(~valid[..., None], 0).to(precise)
    vectors = torch.einsum("bt,btw->bw", weights.to(precise), clean).to(hidden.dtype)
    squares = (vectors * vectors).sum(dim=-1, keepdim=True)
    over = squares > limit**2
    scale = limit * torch.where(over, squares, 1).rsqrt()
    return torch.where(over, vectors * scale.to(vectors.dtype), vectors), over.count_nonzero()
