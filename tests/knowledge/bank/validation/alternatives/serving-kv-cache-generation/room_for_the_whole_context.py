import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, keys, values):
        batch, time, dim = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        keys, values = torch.cat((keys, k), 2), torch.cat((values, v), 2)
        past = keys.shape[2] - time
        scores = q @ keys.transpose(-2, -1) / (dim // self.heads) ** 0.5
        places = torch.arange(keys.shape[2])
        later = places[None] > past + torch.arange(time)[:, None]
        y = scores.masked_fill(later, -torch.inf).softmax(-1) @ values
        x = x + self.out(y.transpose(1, 2).reshape(batch, time, dim))
        return x + self.mlp(self.norm2(x)), keys, values


class TinyLM(nn.Module):
    def __init__(self, vocabulary, dim, heads, layers, context):
        super().__init__()
        self.embed, self.position = nn.Embedding(vocabulary, dim), nn.Embedding(context, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)
        self.shape = heads, dim // heads

    def forward(self, tokens, cache=None):
        if cache is None:
            nothing = self.embed.weight.new_zeros(len(tokens), self.shape[0], 0, self.shape[1])
            cache = {"length": 0, "layers": [(nothing, nothing)] * len(self.blocks)}
        begin = cache["length"]
        x = self.embed(tokens) + self.position.weight[begin : begin + tokens.shape[1]]
        layers = []
        for block, pair in zip(self.blocks, cache["layers"]):
            x, *pair = block(x, *pair)
            layers.append(pair)
        return self.head(self.norm(x)), {"length": begin + tokens.shape[1], "layers": layers}


@torch.no_grad()
def generate(model, prompt, count):
    found, feed, cache = [prompt], prompt, None
    for _ in range(count):
        logits, cache = model(feed, cache)
        feed = logits[:, -1].argmax(-1, keepdim=True)
        found.append(feed)
    return torch.cat(found, 1)
