class CycleError(ValueError):
    cycle: list


def topological_order(inputs):
    entered, left, came_from = set(), {}, {}
    for start in inputs:
        stack = [(start, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                left[node] = None
                continue
            if node in entered:
                continue
            entered.add(node)
            stack.append((node, True))
            for needed in inputs.get(node, ()):
                if needed in entered and needed not in left:
                    back = [needed, node]
                    while back[-1] != needed:
                        back.append(came_from[back[-1]])
                    error = CycleError("cycle")
                    error.cycle = back[::-1]
                    raise error
                if needed not in entered:
                    came_from[needed] = node
                    stack.append((needed, False))
    return list(left)
