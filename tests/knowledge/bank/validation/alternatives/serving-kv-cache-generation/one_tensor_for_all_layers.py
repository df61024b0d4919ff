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

    def forward(self, x, past):
        batch, time, dim = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        held = torch.cat((past, qkv[1:]), dim=3)
        offset = held.shape[3] - time
        bias = torch.full((time, held.shape[3]), -torch.inf, dtype=x.dtype).triu(offset + 1)
        y = F.scaled_dot_product_attention(qkv[0], held[0], held[1], attn_mask=bias)
        x = x + self.out(y.transpose(1, 2).reshape(batch, time, dim))
        return x + self.mlp(self.norm2(x)), held


class TinyLM(nn.Module):
    def __init__(self, vocabulary, dim, heads, layers, context):
        super().__init__()
        self.embed, self.position = nn.Embedding(vocabulary, dim), nn.Embedding(context, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, tokens, cache=None):
        first, dim = self.blocks[0], self.embed.embedding_dim
        if cache is None:
            size = (len(self.blocks), 2, len(tokens), first.heads, 0, dim // first.heads)
            cache = torch.empty(size, dtype=self.embed.weight.dtype)
        past = cache.shape[4]
        x = self.embed(tokens) + self.position(past + torch.arange(tokens.shape[1]))
        kept = []
        for block, own in zip(self.blocks, cache):
            x, held = block(x, own)
            kept.append(held)
        return self.head(self.norm(x)), torch.stack(kept)


def generate(model, prompt, count):
    with torch.inference_mode():
        if count == 0:
            return prompt.clone()
        logits, cache = model(prompt)
        tokens = [logits[:, -1:].argmax(-1)]
        for _ in range(count - 1):
            logits, cache = model(tokens[-1], cache)
            tokens.append(logits[:, -1:].argmax(-1))
        return torch.cat([prompt, *tokens], dim=1)
