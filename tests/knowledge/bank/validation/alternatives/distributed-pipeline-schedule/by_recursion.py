import sys
from functools import cache


def one_f_one_b(stages, micro_batches):
    def order(ahead):
        f = b = 0
        while b < micro_batches:
            if f < micro_batches and f - b <= ahead:
                yield "F", f
                f += 1
            else:
                yield "B", b
                b += 1

    return [list(order(stages - 1 - stage)) for stage in range(stages)]


def bubble(orders, forward=1, backward=2):
    place = {(s, *op): i for s, order in enumerate(orders) for i, op in enumerate(order)}
    last, running = len(orders) - 1, set()

    @cache
    def end(s, kind, m):
        if (s, kind, m) in running or (s, kind, m) not in place:
            raise ValueError("blocked")
        running.add((s, kind, m))
        before = [0]
        i = place[s, kind, m]
        if i:
            before.append(end(s, *orders[s][i - 1]))
        if kind == "F" and s:
            before.append(end(s - 1, "F", m))
        if kind == "B":
            before.append(end(s, "F", m))
            if s < last:
                before.append(end(s + 1, "B", m))
        running.discard((s, kind, m))
        return max(before) + (forward if kind == "F" else backward)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        total = max(end(*key) for key in place)
    finally:
        sys.setrecursionlimit(limit)
    busy = sum(forward if kind == "F" else backward for _, kind, _ in place)
    return (total * len(orders) - busy) / (total * len(orders))
