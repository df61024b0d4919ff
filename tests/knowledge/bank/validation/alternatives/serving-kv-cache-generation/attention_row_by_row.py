import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, past=()):
        batch, time, dim = x.shape
        q, k, v = (
            part.view(batch, time, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1)
        )
        pairs = [*past, *zip(k.unbind(2), v.unbind(2))]
        keys, values = torch.stack([key for key, _ in pairs], 2), torch.stack([value for _, value in pairs], 2)
        mixed = []
        for place in range(time):
            seen = len(past) + place + 1
            one = q[:, :, place : place + 1]
            mixed.append(F.scaled_dot_product_attention(one, keys[:, :, :seen], values[:, :, :seen]))
        y = torch.cat(mixed, 2).transpose(1, 2).reshape(batch, time, dim)
        x = x + self.out(y)
        return x + self.mlp(self.norm2(x)), tuple(pairs)


class TinyLM(nn.Module):
    def __init__(self, vocabulary, dim, heads, layers, context):
        super().__init__()
        self.embed, self.position = nn.Embedding(vocabulary, dim), nn.Embedding(context, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, tokens, cache=None):
        cache = cache or [()] * len(self.blocks)
        begin = len(cache[0])
        x = self.embed(tokens) + self.position(torch.arange(begin, begin + tokens.shape[1]))
        kept = []
        for block, past in zip(self.blocks, cache):
            x, pairs = block(x, past)
            kept.append(pairs)
        return self.head(self.norm(x)), kept


@torch.no_grad()
def generate(model, prompt, count):
    tokens, cache, new = prompt, None, prompt
    for _ in range(count):
        logits, cache = model(new, cache)
        new = logits[:, -1:].argmax(-1)
        tokens = torch.cat((tokens, new), dim=1)
    return tokens
