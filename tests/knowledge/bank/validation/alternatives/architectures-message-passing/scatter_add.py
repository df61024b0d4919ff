import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.linear = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x, edges):
        source, target = edges[0], edges[1]
        count = torch.ones(len(x), dtype=x.dtype).scatter_add(0, target, torch.ones(len(target), dtype=x.dtype))
        h = self.linear(x) / count.sqrt().unsqueeze(1)
        index = target.unsqueeze(1).expand(-1, h.shape[1])
        return h.scatter_add(0, index, h[source]) / count.sqrt().unsqueeze(1) + self.bias
