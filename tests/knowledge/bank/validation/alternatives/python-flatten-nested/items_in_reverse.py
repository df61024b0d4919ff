"""The items of a list are put on the stack in reverse."""


def flatten(nested):
    stack = list(reversed(nested))
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
        else:
            yield item
