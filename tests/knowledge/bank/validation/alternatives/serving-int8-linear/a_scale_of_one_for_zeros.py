"""Rows of zeros have the scale one, and integers are cut off at -128."""

import torch
from torch import nn


class Int8Linear(nn.Module):
    @classmethod
    def from_float(cls, linear):
        self = cls()
        w = linear.weight.detach()
        amax = w.abs().amax(1)
        scale = torch.where(amax > 0, amax / 127.0, torch.ones_like(amax))
        q = torch.clamp(torch.round(w / scale[:, None]), -128, 127).to(torch.int8)
        self.register_buffer("weight", q)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", None if linear.bias is None else linear.bias.detach().clone())
        return self

    @torch.no_grad()
    def forward(self, x):
        shape = x.shape
        x2 = x.reshape(-1, shape[-1]).to(torch.float32)
        amax = x2.abs().amax(dim=1, keepdim=True)
        s = torch.where(amax > 0, amax / 127.0, torch.ones_like(amax))
        q = torch.clamp(torch.round(x2 / s), -128, 127).to(torch.int32)
        acc = q @ self.weight.to(torch.int32).t()
        y = acc.to(torch.float32) * s * self.scale
        if self.bias is not None:
            y = y + self.bias
        return y.to(x.dtype).reshape(*shape[:-1], -1)
