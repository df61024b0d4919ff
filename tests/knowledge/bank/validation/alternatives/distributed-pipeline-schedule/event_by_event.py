def one_f_one_b(stages, micro_batches):
    orders = []
    for stage in range(stages):
        warm = min(stages - 1 - stage, micro_batches)
        order = [("F", m) for m in range(warm)]
        for m in range(warm, micro_batches):
            order += [("F", m), ("B", m - warm)]
        order += [("B", m) for m in range(micro_batches - warm, micro_batches)]
        orders.append(order)
    return orders


def bubble(orders, forward=1, backward=2):
    stages = len(orders)
    at, free, done = [0] * stages, [0.0] * stages, {}
    while any(at[s] < len(orders[s]) for s in range(stages)):
        moved = False
        for s in range(stages):
            while at[s] < len(orders[s]):
                kind, m = orders[s][at[s]]
                if kind == "F":
                    needs = [("F", s - 1, m)] if s else []
                else:
                    needs = [("F", s, m)] + ([("B", s + 1, m)] if s + 1 < stages else [])
                if any(need not in done for need in needs):
                    break
                start = max([free[s], *(done[need] for need in needs)])
                free[s] = done[kind, s, m] = start + (forward if kind == "F" else backward)
                at[s] += 1
                moved = True
        if not moved:
            raise ValueError("the orders block each other")
    work = sum(forward if kind == "F" else backward for order in orders for kind, _ in order)
    return 1 - work / (stages * max(free))
