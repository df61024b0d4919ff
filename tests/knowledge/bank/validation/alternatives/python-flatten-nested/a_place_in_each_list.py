"""The stack holds a list and the place in it, for each level."""


def flatten(nested):
    stack = [(nested, 0)]
    while stack:
        items, i = stack.pop()
        if i < len(items):
            stack.append((items, i + 1))
            x = items[i]
            if isinstance(x, list) or isinstance(x, tuple):
                stack.append((x, 0))
            else:
                yield x
