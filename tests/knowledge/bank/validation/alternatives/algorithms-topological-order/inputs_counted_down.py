from collections import deque


class CycleError(ValueError):
    def __init__(self, cycle):
        super().__init__("a cycle")
        self.cycle = cycle


def topological_order(inputs):
    missing, users = {}, {}
    for node, needed in inputs.items():
        missing[node] = len(needed)
        for one in needed:
            users.setdefault(one, []).append(node)
    ready = deque(node for node, count in missing.items() if not count)
    ready.extend(node for node in users if node not in missing)
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for user in users.get(node, ()):
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    stuck = {node for node, count in missing.items() if count}
    if stuck:
        node, place, path = next(iter(stuck)), {}, []
        while node not in place:
            place[node] = len(path)
            path.append(node)
            node = next(one for one in inputs[node] if one in stuck)
        raise CycleError([*path[place[node] :], node])
    return order
