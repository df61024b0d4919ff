import torch


def apply_rotary(q, k, offset=0, base=10000.0):
    """Queries and keys turned by their positions, which begin at `offset`."""
    length, dim = q.shape[-2:]
    if dim % 2:
        raise ValueError(f"dim must be even, got {dim}")
    dtype = torch.promote_types(q.dtype, torch.float32)
    positions = torch.arange(offset, offset + length, dtype=dtype, device=q.device)
    exponents = torch.arange(0, dim, 2, dtype=dtype, device=q.device) / dim
    angles = torch.outer(positions, base**-exponents)
    turn = torch.polar(torch.ones_like(angles), angles)

    def turned(x):
        first, second = x.to(dtype).chunk(2, dim=-1)
        z = torch.complex(first, second) * turn
        return torch.cat([z.real, z.imag], dim=-1).to(x.dtype)

    return turned(q), turned(k)
