import os

os.environ["TRITON_INTERPRET"] = "1"

import torch
import triton
import triton.language as tl


@triton.jit
def _plus(a, b):
    return a + b


@triton.jit
def _in_pieces(x, r, w, s, o, xs, rs, n, eps, PIECE: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, PIECE)
    squares = tl.full([PIECE], 0.0, tl.float32)
    for start in range(0, n, PIECE):
        at = start + lanes
        a = tl.load(x + row * xs + at, mask=at < n, other=0.0).to(tl.float32)
        b = tl.load(r + row * rs + at, mask=at < n, other=0.0).to(tl.float32)
        squares += (a + b) * (a + b)
    scale = 1 / tl.sqrt(tl.reduce(squares, 0, _plus) / n + eps)
    for start in range(0, n, PIECE):
        at = start + lanes
        a = tl.load(x + row * xs + at, mask=at < n, other=0.0).to(tl.float32)
        b = tl.load(r + row * rs + at, mask=at < n, other=0.0).to(tl.float32)
        g = tl.load(w + at, mask=at < n, other=0.0).to(tl.float32)
        tl.store(s + row * n + at, a + b, mask=at < n)
        tl.store(o + row * n + at, (a + b) * scale * g, mask=at < n)


def add_rms_norm(x, residual, weight, eps=1e-6):
    total = x.new_empty(x.shape)
    out = x.new_empty(x.shape)
    strides = x.stride(0), residual.stride(0)
    _in_pieces[(x.shape[0],)](x, residual, weight, total, out, *strides, x.shape[1], eps, PIECE=64)
    return total, out
