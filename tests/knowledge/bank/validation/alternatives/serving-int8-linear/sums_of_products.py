import torch
from torch import nn


class Int8Linear(nn.Module):
    @classmethod
    def from_float(cls, linear):
        self = cls()
        weight = linear.weight.detach().to(torch.float32)
        scale = weight.abs().max(dim=1).values / 127
        scale[scale == 0] = 1.0
        self.register_buffer("scale", scale)
        self.register_buffer("weight", (weight / scale[:, None]).round().char())
        self.register_buffer("bias", None if linear.bias is None else linear.bias.detach().clone())
        return self

    @torch.inference_mode(False)
    def forward(self, x):
        with torch.no_grad():
            values = x.float()
            step = values.abs().amax(dim=-1, keepdim=True) / 127
            step = step.masked_fill(step == 0, 1.0)
            q = (values / step).round().long()
            rows = [(q * row.long()).sum(-1) for row in self.weight]
            y = torch.stack(rows, -1).float() * step * self.scale
            return (y if self.bias is None else y + self.bias).to(x.dtype)
