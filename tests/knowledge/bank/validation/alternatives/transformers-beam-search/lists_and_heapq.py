import heapq
import math

import torch


def beam_search(step, start, end, width, max_length, alpha=0.0):
    if min(width, max_length) < 1:
        raise ValueError("width and max_length must be at least 1")
    alive, done = [(0.0, [])], []
    for length in range(1, max_length + 1):
        rows = step(torch.tensor([[start, *tokens] for _, tokens in alive], dtype=torch.int64)).tolist()
        children = []
        for (total, tokens), row in zip(alive, rows):
            for token, logp in enumerate(row):
                if logp == -math.inf:
                    continue
                if token == end:
                    done.append(((total + logp) / length**alpha, [*tokens, token]))
                else:
                    children.append((total + logp, [*tokens, token]))
        alive = heapq.nlargest(width, children, key=lambda one: one[0])
        done = heapq.nlargest(width, done, key=lambda one: one[0])
        if not alive:
            break
        if alpha == 0 and len(done) == width and done[-1][0] >= alive[0][0]:
            alive = []
            break
    done += [(total / max_length**alpha, tokens) for total, tokens in alive]
    return [(tokens, score) for score, tokens in heapq.nlargest(width, done, key=lambda one: one[0])]
