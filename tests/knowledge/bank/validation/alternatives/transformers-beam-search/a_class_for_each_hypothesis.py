import math
from dataclasses import dataclass

import torch


@dataclass
class Hypothesis:
    tokens: list
    total: float = 0.0

    def scored(self, alpha):
        return self.tokens[1:], self.total / (len(self.tokens) - 1) ** alpha


def beam_search(step, start, end, width, max_length, alpha=0.0):
    if width <= 0 or max_length <= 0:
        raise ValueError("sizes must be positive")
    live, finished = [Hypothesis([start])], []
    while live and len(live[0].tokens) <= max_length:
        logp = step(torch.tensor([one.tokens for one in live]))
        grown = []
        for one, row in zip(live, logp):
            for token in range(len(row)):
                total = one.total + float(row[token])
                if total > -math.inf:
                    grown.append(Hypothesis([*one.tokens, token], total))
        finished += [one for one in grown if one.tokens[-1] == end]
        live = sorted((one for one in grown if one.tokens[-1] != end), key=lambda one: one.total, reverse=True)[:width]
        best = sorted((one.scored(alpha) for one in finished), key=lambda one: one[1], reverse=True)[:width]
        if live and len(best) == width:
            left = range(len(live[0].tokens) - 1, max_length + 1)
            if best[-1][1] >= max(live[0].total / length**alpha for length in left):
                return best
    results = [one.scored(alpha) for one in finished + live]
    return sorted(results, key=lambda one: one[1], reverse=True)[:width]
