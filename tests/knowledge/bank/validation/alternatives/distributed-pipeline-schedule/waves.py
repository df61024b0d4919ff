def one_f_one_b(stages, micro_batches):
    made = []
    for stage in reversed(range(stages)):
        warm = stages - 1 - stage
        forwards, backwards = list(range(micro_batches)), list(range(micro_batches))
        order = [("F", forwards.pop(0)) for _ in range(min(warm, micro_batches))]
        while forwards:
            order.append(("F", forwards.pop(0)))
            order.append(("B", backwards.pop(0)))
        made.insert(0, order + [("B", m) for m in backwards])
    return made


def bubble(orders, forward=1, backward=2):
    cost = {"F": forward, "B": backward}
    ends, count = {}, sum(map(len, orders))
    for _ in range(count + 1):
        changed = False
        for s, order in enumerate(orders):
            now = 0
            for kind, m in order:
                inputs = []
                if kind == "F" and s > 0:
                    inputs.append((s - 1, "F", m))
                if kind == "B":
                    inputs.append((s, "F", m))
                    if s < len(orders) - 1:
                        inputs.append((s + 1, "B", m))
                if any(one not in ends for one in inputs):
                    break
                now = max([now, *(ends[one] for one in inputs)]) + cost[kind]
                if ends.get((s, kind, m)) != now:
                    ends[s, kind, m] = now
                    changed = True
        if not changed:
            break
    if len(ends) < count:
        raise ValueError("blocked")
    span = max(ends.values()) * len(orders)
    return 1 - sum(cost[kind] for _, kind, _ in ends) / span
