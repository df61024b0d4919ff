import torch


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def rotate(x, cos, sin):
    wide = x.to(cos.dtype)
    return (wide * cos + rotate_half(wide) * sin).to(x.dtype)


def apply_rotary(q, k, offset=0, base=10000.0):
    """Queries and keys turned by their positions, which begin at `offset`."""
    length, dim = q.shape[-2:]
    if dim % 2 == 1:
        raise ValueError("rotary embeddings need an even dim")
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    pair = torch.arange(dim, device=q.device) % (dim // 2)
    frequencies = 1.0 / base ** (2 * pair.to(dtype) / dim)
    positions = torch.arange(length, device=q.device) + offset
    angles = positions.to(dtype).unsqueeze(-1) * frequencies
    cos, sin = angles.cos(), angles.sin()
    return rotate(q, cos, sin), rotate(k, cos, sin)
