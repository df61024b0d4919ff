"""Plain Python numbers and loops."""

import torch


def draw(weights, u):
    total = sum(weights)
    running = 0.0
    last = 0
    for index, weight in enumerate(weights):
        running += weight
        if weight > 0:
            last = index
        if running > u * total:
            return index
    return last


def verify(draft, target, tokens, uniforms):
    gained = []
    p, q, u = target.tolist(), draft.tolist(), uniforms.tolist()
    for place, token in enumerate(tokens.tolist()):
        if u[place] * q[place][token] < p[place][token]:
            gained.append(token)
        else:
            return [*gained, draw([max(a - b, 0.0) for a, b in zip(p[place], q[place])], u[-1])]
    return [*gained, draw(p[-1], u[-1])]


def expected_tokens(rate, k):
    return float(k + 1) if rate == 1 else (1 - rate ** (k + 1)) / (1 - rate)
